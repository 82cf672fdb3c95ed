"""Runs statements with an engine: engines.py ENGINE < {"setup": [...], "queries": [...]}. Prints the rows of each query as JSON."""
import json
import sys


def spark():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    return lambda sql: [list(row) for row in session.sql(sql).collect()]


def clickhouse():
    from chdb.session import Session

    session = Session()
    session.query("CREATE DATABASE lake")
    session.query("USE lake")

    def run(sql):
        answer = str(session.query(sql, "JSONCompact"))
        return json.loads(answer)["data"] if answer.startswith("{") else []

    return run


run = {"spark": spark, "clickhouse": clickhouse}[sys.argv[1]]()
given = json.load(sys.stdin)
for sql in given["setup"]:
    run(sql)
print("\n" + json.dumps([run(sql) for sql in given["queries"]], default=float))

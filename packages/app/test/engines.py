"""Runs queries over a lake with an engine: engines.py ENGINE LAKE < queries.json. Prints the rows of each as JSON."""
import json
import os
import sys


def spark(lake, tables):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.ansi.enabled", "true")
    builder = builder.config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    session = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    for table in tables:
        session.read.parquet(f"{lake}/{table}").createOrReplaceTempView(table)
    return lambda sql: [list(row) for row in session.sql(sql).collect()]


def clickhouse(lake, tables):
    from chdb.session import Session

    session = Session()
    session.query("CREATE DATABASE IF NOT EXISTS lake")
    for table in tables:
        source = f"file('{lake}/{table}/*/*/*.parquet') SETTINGS use_hive_partitioning = 1"
        session.query(f"CREATE VIEW lake.{table} AS SELECT * FROM {source}")

    def run(sql):
        answer = session.query(f"USE lake; {sql} SETTINGS join_use_nulls = 1", "JSONCompact")
        return json.loads(str(answer))["data"]

    return run


engine, lake = sys.argv[1:]
tables = [name for name in os.listdir(lake) if name[0] not in "._"]
run = {"spark": spark, "clickhouse": clickhouse}[engine](lake, tables)
answers = [run(sql) for sql in json.load(sys.stdin)]
print("\n" + json.dumps(answers, default=float))

/** Conversations that several tests read. */

/** A rewind, two agents at once, and a compaction. */
export const RICH = `
  s1: u1"Fix the parser, then the lexer" a1"I will start with the parser." a2[t1:Bash]
  s1: a2 > r1[t1] a3"The parser is fixed."
  s1: a3 > u2"Now the lexer, by hand" a4"Rewriting it from scratch."
  s1: a3 > u3"Now the lexer, with two agents"@+10m a5[t2:Task>x] a6=a5[t3:Task>y]
  s1/x: meta {"agentType":"Explore"}
  s1/x: u4"Look for slow tokens" a7[t4:Bash]
  s1/x: a7 > r4[t4] a8"Two tokens are slow."
  s1/y: meta {"agentType":"reviewer"}
  s1/y: u5"Review the lexer" a9"Looks fine."
  s1: a6 > r3[t3>y]
  s1: a5 > r2[t2>x] a10"Both agents are done."
  s1: a10 > c1 k1"Parser and lexer are fixed." u6"Thanks" a11"You are welcome."
`

/** A session with a rewind and a subagent, one that resumes it, and one that was forked from the branch that was left. */
export const LINKED = `s1: u1"Begin" a1"Begun" u2"By hand" a2"Done by hand"
s1: a1 > u3"With help"@+10m a3[t1:Task>x]
s1/x: u4"Look" a4"Seen"
s1: a3 > r3[t1>x] a5"Helped"
s2: a5 > u5"Later"@+1h a6"Still here"
s3: a2 > u6"Otherwise"@+1h a7"As you like"`

#!/usr/bin/env bash
# Question: A process holds a write transaction. It also reads the file by another copy of SQLite, as an app does
# whose SDK brings its own. Are other processes still kept out?
# Guess: Yes, a reader takes nothing away.
# Behaviour: When the second copy closes the file, the kernel drops all of the process's locks on it, and another
# process can begin to write in the middle of the transaction. Each copy by itself is right: within one, SQLite knows.
# Versions: apsw 3.54.1.0.

. "$(dirname "$0")/finding.bash"
python_packages apsw==3.54.1.0
python3 -c 'import sqlite3' 2>/dev/null || cannot "Python has no sqlite3"

seen <<'END'
in the transaction: database is locked
after a reader of the same copy: database is locked
after a reader of another copy: another process writes
END
cat >program.py <<'END'
import sqlite3, subprocess, sys
import apsw

OTHER = """
import sqlite3
try:
    sqlite3.connect("events.db", timeout=0).execute("BEGIN IMMEDIATE")
    print("another process writes")
except sqlite3.OperationalError as error:
    print(error)
"""

def other(label):
    print(f"{label}:", subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True).stdout.strip())

writer = apsw.Connection("events.db")
writer.execute("CREATE TABLE event(id)")
writer.execute("BEGIN IMMEDIATE")
other("in the transaction")
reader = apsw.Connection("events.db", flags=apsw.SQLITE_OPEN_READONLY)
reader.execute("SELECT count(*) FROM event").get
reader.close()
other("after a reader of the same copy")
reader = sqlite3.connect("file:events.db?mode=ro", uri=True)
reader.execute("SELECT count(*) FROM event").fetchall()
reader.close()
other("after a reader of another copy")
writer.execute("ROLLBACK")
END
compare python3 program.py

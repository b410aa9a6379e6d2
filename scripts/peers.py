"""Runs dbdyno and its peers in turn. See scripts/peers, which starts the servers and calls this."""

import argparse
import datetime
import json
import os
import platform
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

# --- running things


class Failure(Exception):
    pass


def run(command, stdin=None, env=None):
    """The output of a command, and the CPU seconds that it took, user and system, with all its children."""
    name = os.path.basename(command[0])
    limit = 600
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", env=env, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except BaseException as error:
            # What it has started would go on using the clients' CPU.
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise Failure(f"{name} was not done after {limit} s") from None
            raise
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode != 0:
        tail = "\n".join(mask(output).splitlines()[-15:])
        raise Failure(f"{name} ended with status {process.returncode}:\n{tail}")
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def mask(text):
    """Without the passwords of the servers' URLs."""
    for url in (REDIS, MYSQL, HANDLERSOCKET):
        if url and url.password:
            text = text.replace(urllib.parse.unquote(url.password), "***").replace(url.password, "***")
    return text


def found(pattern, text):
    match = re.search(pattern, text)
    if match is None:
        raise Failure(f"no '{pattern}' in:\n" + "\n".join(mask(text).splitlines()[-15:]))
    return float(match.group(1))


def url_of(variable):
    text = os.environ.get(variable)
    return urllib.parse.urlsplit(text) if text else None


REDIS = url_of("DBDYNO_REDIS_URL")
MYSQL = url_of("DBDYNO_MYSQL_URL")
HANDLERSOCKET = url_of("DBDYNO_HANDLERSOCKET_URL")
# As many as dbdyno's ring of 65,536 draws comes to, all of them, so that the others' draws are of the same set.
KEYS = 10_000


def figures(ops_per_second, cpu_seconds, operations):
    """cpu_seconds: None where it would not be the client's for these operations alone."""
    out = {"items_per_second": ops_per_second, "iterations": int(operations)}
    if cpu_seconds is not None:
        out["client_cpu_ns_per_op"] = cpu_seconds * 1e9 / operations
    return out


def without_targets(*kept):
    """The environment with no server named in it but the kept ones."""
    return {name: value for name, value in os.environ.items()
            if not (name.startswith("DBDYNO_") and name.endswith("_URL")) or name in kept}


# --- contenders: each has a name, run(seconds) and, where they can be counted, instructions()


class Contender:
    name = ""

    def run(self, seconds):
        raise NotImplementedError

    def instructions(self):
        """User-space instructions of one operation."""
        return None


def count_instructions(command_of, short, long):
    """The difference of two lengths; each runs twice and the smaller count stands."""

    def count(operations):
        with tempfile.NamedTemporaryFile() as profile:
            run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile.name}",
                 *command_of(operations)])
            return found(r"(?m)^(?:totals|summary): (\d+)", open(profile.name, encoding="utf-8").read())

    least = {length: min(count(length), count(length)) for length in (short, long)}
    return (least[long] - least[short]) / (long - short)


class Dbdyno(Contender):
    def __init__(self, args, cell, flags=(), instruction_flags=None):
        self.args = args
        self.cell = cell
        self.flags = list(flags)
        self.instruction_flags = self.flags if instruction_flags is None else instruction_flags
        self.name = cell

    def run(self, seconds):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            run([f"{self.args.bin}/dbdyno-bench", f"--benchmark_filter=^{self.cell}$", *self.flags, "--quiet",
                 "--keys", str(KEYS), "--pin", f"client={self.args.client_cpu}", "--duration", str(seconds), "--warmup", "0.3",
                 "--repetitions", "1", "--out", out.name])
            result = json.load(open(out.name, encoding="utf-8"))
        rows = [row for row in result["benchmarks"] if row.get("run_type") != "aggregate"]
        if len(rows) != 1:
            raise Failure(f"{self.cell}: {len(rows)} rows instead of one")
        if "error_message" in rows[0] or rows[0]["errors"] or rows[0]["misses"]:
            raise Failure(f"{self.cell}: {rows[0].get('error_message', 'errors or misses')}")
        verdict = result["dbdyno"]["cells"][0].get("verdict", {})
        if verdict.get("level") == "invalid":
            raise Failure(f"{self.cell}: invalid: {'; '.join(verdict['reasons'])}")
        kept = ("items_per_second", "client_cpu_ns_per_op", "server_cpu_ns_per_op", "iterations")
        return {key: rows[0][key] for key in kept if key in rows[0]}

    def instructions(self):
        scripts = os.path.dirname(os.path.abspath(__file__))
        # With servers of its own on the same CPU: else the figure would depend on how many replies are found at a time.
        output, _ = run([f"{scripts}/instructions", "--bin", self.args.bin, f"^{self.cell}$", "--", "--keys",
                         str(KEYS), *self.instruction_flags], env=without_targets())
        return found(r"  ([\d.]+) instructions/op", output)


def peer_instructions(comparison, args):
    """Those of a comparison's peer. As scripts/instructions does it for dbdyno: beside servers of its own, all of it on
    one CPU and as batch work, or how many replies are found at a time would be a race."""
    # For the inner shell.
    script = ('bin=$1; shift; "$bin/dbdyno-load" --keys "$1" --quiet >&2; shift; exec "$@"')
    output, _ = run(["taskset", "-c", args.client_cpu, "chrt", "--batch", "0", f"{args.bin}/dbdyno-serve", "--",
                     "bash", "-euc", script, "bash", args.bin, str(KEYS), sys.executable, "-B", os.path.abspath(__file__),
                     "--bin", args.bin, "--client-cpu", args.client_cpu, "--count", comparison], env=without_targets())
    return found(r"(?m)^([\d.]+) instructions$", output)


class BareLoop(Contender):
    """The client library in a loop with nothing else in it; it has instructions only."""

    def __init__(self, args, program, how, *more):
        self.command = lambda requests: [f"{args.bin}/{program}", how, str(requests), *more]
        self.name = program

    def instructions(self):
        return count_instructions(self.command, 8_192, 24_576)


class RedisBenchmark(Contender):
    """Asks for keys of its own spelling, 12 bytes long instead of 8 to 12; as many, with values as long."""

    def __init__(self, connections, depth):
        self.connections = connections
        self.depth = depth
        self.name = f"get/redis/redis-benchmark/async/transport:tcp/conns:{connections}/depth:{depth}"
        self.rate = 20_000 * depth

    def command(self, requests):
        return ["redis-benchmark", "-h", REDIS.hostname, "-p", str(REDIS.port), "-c", str(self.connections),
                "-P", str(self.depth), "-n", str(requests), "-r", str(KEYS), "--csv", "GET",
                "__rand_int__"]

    def fill(self):
        """Once; the name that the last key has tells whether it was done."""
        cli = ["redis-cli", "-h", REDIS.hostname, "-p", str(REDIS.port)]
        last = f"{KEYS - 1:012d}"
        if run([*cli, "EXISTS", last])[0].strip() == "1":
            return
        with tempfile.TemporaryFile() as sets:
            for number in range(KEYS):
                sets.write(set_command(f"{number:012d}", f"{number:016x}".ljust(100, "v")))
            sets.seek(0)
            run([*cli, "--pipe"], stdin=sets)

    def run(self, seconds):
        self.fill()
        requests = max(1000, int(self.rate * seconds))
        output, cpu = run(self.command(requests))
        self.rate = found(r'(?m)^"GET __rand_int__","([\d.]+)"', output)
        return figures(self.rate, cpu, requests)

    def instructions(self):
        return count_instructions(self.command, 10_000, 50_000)


class Memtier(Contender):
    """Each connection with a seed of its own, since by default all of them ask for the same keys in turn."""

    def __init__(self, connections, depth):
        self.connections = connections
        self.depth = depth
        self.name = f"get/redis/memtier_benchmark/async/transport:tcp/conns:{connections}/depth:{depth}"

    def run(self, seconds):
        output, cpu = run(["memtier_benchmark", "-s", REDIS.hostname, "-p", str(REDIS.port), "-t", "1", "-c",
                           str(self.connections), "--pipeline", str(self.depth), "--ratio", "0:1",
                           "--key-prefix", "dbdyno:", "--key-minimum", "1", "--key-maximum", str(KEYS),
                           "--distinct-client-seed", "--test-time", str(max(1, round(seconds))),
                           "--hide-histogram"])
        rate = found(r"(?m)^Gets\s+([\d.]+)", output)
        if found(r"(?m)^Gets\s+[\d.]+\s+[\d.]+\s+([\d.]+)", output) != 0:
            raise Failure("memtier_benchmark asked for keys that are not there")
        return figures(rate, cpu, rate * max(1, round(seconds)))


class Sysbench(Contender):
    def __init__(self, folder, connections, prepared):
        # Not on the command line, which all may read.
        self.login = f"{folder}/sysbench.cnf"
        if MYSQL is not None and not os.path.exists(self.login):
            with open(os.open(self.login, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as out:
                out.write(f"mysql-password={urllib.parse.unquote(MYSQL.password or '')}\n")
        self.connections = connections
        self.prepared = prepared
        self.name = f"get/mysql/sysbench-{'prepared' if prepared else 'text'}/sync/conns:{connections}"

    def command(self, connections, *length):
        return ["sysbench", f"--config-file={self.login}", os.path.dirname(os.path.abspath(__file__)) + "/point_select.lua",
                "--db-driver=mysql", f"--mysql-host={MYSQL.hostname}", f"--mysql-port={MYSQL.port}",
                f"--mysql-user={MYSQL.username}",
                f"--mysql-db={MYSQL.path.strip('/') or 'hs_test'}", f"--threads={connections}",
                f"--prepared={'on' if self.prepared else 'off'}", f"--keys={KEYS}", "--rand-type=uniform",
                *length, "run"]

    def run(self, seconds):
        output, cpu = run(self.command(self.connections, f"--time={max(1, round(seconds))}", "--events=0"))
        return figures(found(r"queries:\s+\d+\s+\(([\d.]+) per sec", output), cpu,
                       found(r"queries:\s+(\d+)", output))

    def instructions(self):
        return count_instructions(lambda n: self.command(1, "--time=0", f"--events={n}"), 2_000, 10_000)


class NodeClient(Contender):
    def __init__(self, folder, client):
        self.folder = folder
        self.client = client
        self.name = f"get/redis/{'node-redis' if client == 'redis' else client}/async/transport:tcp/conns:1/depth:50000"

    def run(self, seconds):
        script = os.path.dirname(os.path.abspath(__file__)) + "/peers_node.js"
        environment = dict(os.environ, NODE_PATH=f"{self.folder}/node_modules")
        output, _ = run(["node", script, self.client, str(seconds), str(KEYS)], env=environment)
        told = json.loads(output.strip().splitlines()[-1])
        return figures(told["operations"] / told["seconds"], told["cpu_seconds"], told["operations"])


class RedisPipe(Contender):
    """redis-cli --pipe with the bytes that a million SETs are."""

    name = "load/redis/redis-cli-pipe/keys:1000000"
    keys = 1_000_000

    def __init__(self, folder):
        self.path = f"{folder}/sets.resp"

    def prepare(self):
        if os.path.exists(self.path):
            return
        with open(self.path, "wb") as out:
            for number in range(1, self.keys + 1):
                out.write(set_command(f"dbdyno:{number}", f"{number:016x}".ljust(100, "v")))

    def run(self, _):
        self.prepare()
        empty_redis()
        begin = time.monotonic()
        with open(self.path, "rb") as sets:
            output, _ = run(["redis-cli", "-h", REDIS.hostname, "-p", str(REDIS.port), "--pipe"], stdin=sets)
        seconds = time.monotonic() - begin
        if "errors: 0" not in output:
            raise Failure(output)
        return figures(self.keys / seconds, None, self.keys)


class LoadData(Contender):
    """LOAD DATA LOCAL INFILE of a file with a million lines into an empty table like dbdyno-load's."""

    name = "load/mysql/load-data/keys:1000000"
    keys = 1_000_000

    def __init__(self, folder):
        self.path = f"{folder}/rows.tsv"

    def client(self, statement):
        return ["mariadb", f"--host={MYSQL.hostname}", f"--port={MYSQL.port}", f"--user={MYSQL.username}",
                "--local-infile=1",
                "--default-character-set=utf8mb4", MYSQL.path.strip("/") or "hs_test", "-e", statement]

    def run(self, _):
        if not os.path.exists(self.path):
            with open(self.path, "w", encoding="ascii") as out:
                for number in range(1, self.keys + 1):
                    out.write(f"{number}\t{f'{number:016x}'.ljust(100, 'v')}\n")
        run(self.client("DROP TABLE IF EXISTS peers_load; CREATE TABLE peers_load LIKE table_test"), env=self.login())
        begin = time.monotonic()
        run(self.client(f"LOAD DATA LOCAL INFILE '{self.path}' INTO TABLE peers_load"), env=self.login())
        out = figures(self.keys / (time.monotonic() - begin), None, self.keys)
        run(self.client("DROP TABLE peers_load"), env=self.login())
        return out

    def empty_our_table(self):
        run(self.client("TRUNCATE TABLE table_test"), env=self.login())

    @staticmethod
    def login():
        return dict(os.environ, MYSQL_PWD=urllib.parse.unquote(MYSQL.password or ""))


class DbdynoLoad(Contender):
    """dbdyno-load's own time for filling, since the others do not read back what they wrote."""

    keys = 1_000_000

    def __init__(self, args, storage, empty):
        self.args = args
        self.storage = storage
        self.empty = empty
        self.name = f"load/{storage}/dbdyno-load/keys:{self.keys}"

    def run(self, _):
        self.empty()
        output, _ = run([f"{self.args.bin}/dbdyno-load", "--keys", str(self.keys), "--replace"],
                        env=without_targets(f"DBDYNO_{self.storage.upper()}_URL"))
        seconds = found(rf"(?m)^{self.storage} .* loaded in ([\d.]+) s", output)
        self.empty()
        return figures(self.keys / seconds, None, self.keys)


def set_command(key, value):
    """In RESP."""
    return f"*3\r\n$3\r\nSET\r\n${len(key)}\r\n{key}\r\n${len(value)}\r\n{value}\r\n".encode("ascii")


def empty_redis():
    run(["redis-cli", "-h", REDIS.hostname, "-p", str(REDIS.port), "FLUSHALL"])


# --- comparisons


class Target:
    """figure: of a pair's ratio dbdyno / peer, or of dbdyno's own instructions."""

    def __init__(self, figure, comparison, limit):
        self.figure = figure
        self.comparison = comparison
        self.limit = limit

    def is_reached(self, value):
        return value >= self.limit if self.comparison == "at least" else value <= self.limit

    def __str__(self):
        return f"{self.comparison} {self.limit:,g}"


class Comparison:
    """counts: whether instructions are counted, as they are where there is a target for them."""

    def __init__(self, name, title, peer, ours, targets, counts=False):
        self.name = name
        self.title = title
        self.peer = peer
        self.ours = ours
        self.targets = targets
        self.counts = counts or any(target.figure in (INSTRUCTIONS, MORE) for target in targets)


def at_least(figure, limit):
    return Target(figure, "at least", limit)


def at_most(figure, limit):
    return Target(figure, "at most", limit)


OPS, CPU, INSTRUCTIONS = "ops/s", "client CPU", "instructions"
MORE = "... more"  # instructions than the peer


def comparisons(args, scratch):
    def dbdyno(cell, *flags):
        return Dbdyno(args, cell, flags)

    load_data = LoadData(scratch)
    wire = "get/redis/wire/async/transport:tcp/conns:50/depth:"
    deep = dbdyno(wire + "16", "--connections", "50", "--depth", "16")
    out = [
        Comparison("redis-50x16", "Redis GET, 50 connections x depth 16: redis/wire against redis-benchmark",
                   RedisBenchmark(50, 16), deep,
                   [at_least(OPS, 1.0), at_most(CPU, 0.6), at_most(INSTRUCTIONS, 150)]),
        Comparison("redis-50x1", "Redis GET, 50 connections x depth 1: redis/wire against redis-benchmark",
                   RedisBenchmark(50, 1), dbdyno(wire + "1", "--connections", "50", "--depth", "1"),
                   [at_least(OPS, 1.4)]),
        Comparison("redis-1x1", "Redis GET, one at a time: redis/wire, blocking, against redis-benchmark",
                   RedisBenchmark(1, 1), dbdyno("get/redis/wire/sync/transport:tcp"),
                   [at_most(INSTRUCTIONS, 260)]),
        Comparison("hiredis-sync", "redis/hiredis, blocking, against hiredis alone",
                   BareLoop(args, "dbdyno-bare-hiredis", "1"), dbdyno("get/redis/hiredis/sync/transport:tcp"),
                   [at_most(INSTRUCTIONS, 4300), at_most(MORE, 100)]),
        Comparison("hiredis-pipeline", "redis/hiredis, pipeline of 16, against hiredis alone",
                   BareLoop(args, "dbdyno-bare-hiredis", "16"),
                   dbdyno("get/redis/hiredis/pipeline/transport:tcp/depth:16"),
                   [at_most(INSTRUCTIONS, 3460), at_most(MORE, 100)]),
        Comparison("hiredis-async", "redis/hiredis, 50 connections x depth 16, against hiredis alone on libevent",
                   BareLoop(args, "dbdyno-bare-hiredis", "16", "50"),
                   dbdyno("get/redis/hiredis/async/transport:tcp/conns:50/depth:16"),
                   [at_most(INSTRUCTIONS, 4300), at_most(MORE, 100)]),
        Comparison("mysql-text-sync", "Point select, one at a time: mysql/text against sysbench, text",
                   Sysbench(scratch, 1, False), dbdyno("get/mysql/text/sync/transport:tcp"), [],
                   counts=True),
        Comparison("mysql-binary-sync", "Point select, one at a time: mysql/binary against sysbench, prepared",
                   Sysbench(scratch, 1, True), dbdyno("get/mysql/binary/sync/transport:tcp"), [],
                   counts=True),
        Comparison("mysql-text-alone", "mysql/text, blocking, against libmariadb alone",
                   BareLoop(args, "dbdyno-bare-mysql", "text"), dbdyno("get/mysql/text/sync/transport:tcp"),
                   [at_most(INSTRUCTIONS, 5950), at_most(MORE, 100)]),
        Comparison("mysql-binary-alone", "mysql/binary, blocking, against libmariadb alone",
                   BareLoop(args, "dbdyno-bare-mysql", "prepared"), dbdyno("get/mysql/binary/sync/transport:tcp"),
                   [at_most(INSTRUCTIONS, 3850), at_most(MORE, 100)]),
        Comparison("mysql-text-16", "Point select, 16 connections: mysql/text on an event loop against sysbench, text",
                   Sysbench(scratch, 16, False), dbdyno("get/mysql/text/async/transport:tcp/conns:16", "--connections", "16"),
                   [at_most(CPU, 0.8)]),
        Comparison("mysql-binary-16",
                   "Point select, 16 connections: mysql/binary on an event loop against sysbench, prepared",
                   Sysbench(scratch, 16, True),
                   dbdyno("get/mysql/binary/async/transport:tcp/conns:16", "--connections", "16"),
                   [at_most(CPU, 0.8)]),
        Comparison("handlersocket", "Depth 128, one connection: HandlerSocket against mysql/text, pipelined",
                   dbdyno("get/mysql/text/pipeline/transport:tcp/depth:128", "--depth", "128"),
                   dbdyno("get/handlersocket/native/async/transport:tcp/conns:1/depth:128", "--connections", "1",
                          "--depth", "128"),
                   [at_least(OPS, 10), at_most(INSTRUCTIONS, 130)]),
        Comparison("spin", "Redis GET, one at a time: redis/wire with --spin against without",
                   dbdyno("get/redis/wire/sync/transport:tcp"),
                   Dbdyno(args, "get/redis/wire/sync/transport:tcp", ["--spin"]), [at_least(OPS, 2)]),
        Comparison("load-redis", "A million keys of 100 bytes: dbdyno-load (MSET) against redis-cli --pipe (SET)",
                   RedisPipe(scratch), DbdynoLoad(args, "redis", empty_redis), [at_least(OPS, 1)]),
        Comparison("load-mysql", "A million keys of 100 bytes: dbdyno-load against LOAD DATA",
                   load_data, DbdynoLoad(args, "mysql", load_data.empty_our_table), [at_least(OPS, 1)]),
    ]
    if shutil.which("memtier_benchmark"):
        out.insert(1, Comparison("memtier-50x16",
                                 "Redis GET, 50 connections x depth 16: redis/wire against memtier_benchmark",
                                 Memtier(50, 16), deep, [at_least(OPS, 1.05), at_most(CPU, 0.45)]))
    if args.node:
        one = dbdyno("get/redis/wire/async/transport:tcp/conns:1/depth:50000", "--connections", "1", "--depth",
                     "50000")
        out.append(Comparison("ioredis", "50,000 gets in flight, one connection: redis/wire against ioredis",
                              NodeClient(scratch, "ioredis"), one, [at_least(OPS, 10)]))
        out.append(Comparison("node-redis", "50,000 gets in flight, one connection: redis/wire against node-redis",
                              NodeClient(scratch, "redis"), one, []))
    # The loaders leave other data behind, so they come last.
    out.sort(key=lambda one: one.name.startswith("load-"))
    return out


class Report:
    """Tells what was found as it goes, and keeps every figure."""

    def __init__(self):
        self.rows = []
        self.missed = 0

    def keep(self, comparison, name, repetition, repetitions, result):
        self.rows.append({
            "comparison": comparison, "name": name, "run_name": name, "run_type": "iteration", "repetitions": repetitions,
            "repetition_index": repetition, "threads": 1, "iterations": result["iterations"],
            # As in all of Google Benchmark's rows; 0 is absent.
            "real_time": 1e9 / result["items_per_second"], "cpu_time": result.get("client_cpu_ns_per_op", 0),
            "time_unit": "ns", **{key: value for key, value in result.items() if key != "iterations"}})

    def line(self, figure, text, value, targets):
        verdict = ""
        for target in targets:
            if target.figure != figure:
                continue
            reached = target.is_reached(value)
            self.missed += not reached
            verdict = f"{target}: {'reached' if reached else 'MISSED'}"
        print(f"  {figure:<13} {text:<58} {verdict}".rstrip(), flush=True)

    def compare(self, one, args):
        pairs, seconds = args.pairs, args.seconds
        if pairs == 0 and not one.counts:
            return
        print(one.title, flush=True)
        if pairs > 0 and not isinstance(one.peer, BareLoop):
            # Once for warm caches, and so that each knows how long a run is.
            one.peer.run(min(1, seconds))
            ratios = {OPS: [], CPU: []}
            ours, theirs = [], []
            for pair in range(pairs):
                theirs.append(one.peer.run(seconds))
                ours.append(one.ours.run(seconds))
                for contender, result in ((one.peer, theirs[-1]), (one.ours, ours[-1])):
                    self.keep(one.name, contender.name + ("/spin:on" if "--spin" in getattr(contender, "flags", []) else ""),
                              pair, pairs, result)
                ratios[OPS].append(ours[-1]["items_per_second"] / theirs[-1]["items_per_second"])
                if "client_cpu_ns_per_op" in ours[-1]:
                    ratios[CPU].append(ours[-1]["client_cpu_ns_per_op"] / theirs[-1]["client_cpu_ns_per_op"])
            for figure, key, form in ((OPS, "items_per_second", "{:,.0f}"),
                                      (CPU, "client_cpu_ns_per_op", "{:,.0f} ns")):
                if not ratios[figure]:
                    continue
                ratio = statistics.median(ratios[figure])
                digits = ".2f" if ratio >= 0.1 else ".2g"
                text = (f"{ratio:{digits}} times ({min(ratios[figure]):{digits}} to {max(ratios[figure]):{digits}}): "
                        f"{form.format(statistics.median(r[key] for r in ours))} against "
                        f"{form.format(statistics.median(r[key] for r in theirs))}")
                self.line(figure, text, ratio, one.targets)
        if one.counts:
            own = one.ours.instructions()
            # Another dbdyno is not counted beside.
            peers = None if isinstance(one.peer, Dbdyno) else peer_instructions(one.name, args)
            self.line(INSTRUCTIONS, f"{own:,.1f} an operation" + (f" against {peers:,.1f}" if peers else ""), own,
                      one.targets)
            if any(target.figure == MORE for target in one.targets):
                self.line(MORE, f"{own - peers:,.1f}", own - peers, one.targets)
            self.rows.append({"comparison": one.name, "name": one.ours.name + "/instructions",
                              "run_name": one.ours.name + "/instructions",
                              "run_type": "iteration", "repetitions": 1, "repetition_index": 0, "threads": 1,
                              "iterations": 1, "real_time": 0, "cpu_time": 0, "time_unit": "ns",
                              "instructions_per_op": own,
                              **({"peer": one.peer.name, "peer_instructions_per_op": peers} if peers else {})})

    def save(self, path, args):
        context = {"versions": args.versions, "pairs": args.pairs, "keys": KEYS, "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
                   "executable": "scripts/peers", "num_cpus": os.cpu_count(), "cpu_model": cpu_model(),
                   "kernel": platform.release(), "client_cpu": args.client_cpu, "server_cpu": args.server_cpu,
                   "seconds": args.seconds, "library_build_type": "release"}
        with open(path + ".new", "w", encoding="utf-8") as out:
            json.dump({"context": context, "benchmarks": self.rows}, out, indent=1)
            out.write("\n")
        os.replace(path + ".new", path)
        print(f"results: {path}", file=sys.stderr)


def versions(args):
    """What each of the peers that are here says of itself."""
    out = {}
    for name, command in (("dbdyno", [f"{args.bin}/dbdyno-bench", "--version"]),
                          ("redis-benchmark", ["redis-benchmark", "--version"]),
                          ("sysbench", ["sysbench", "--version"]), ("mariadb", ["mariadb", "--version"]),
                          ("memtier_benchmark", ["memtier_benchmark", "--version"]), ("node", ["node", "--version"])):
        if shutil.which(command[0]):
            try:
                lines = run(command)[0].strip().splitlines()
            except Failure:
                lines = []
            out[name] = lines[0] if lines else "unknown"
    for client in ("ioredis", "redis"):
        path = f"{args.scratch}/node_modules/{client}/package.json"
        if os.path.exists(path):
            out["node-redis" if client == "redis" else client] = json.load(open(path, encoding="utf-8"))["version"]
    return out


def cpu_model():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def install_node_clients(folder):
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Failure("--node needs node and npm; install them (apt-get install nodejs npm)")
    run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "ioredis", "redis"])


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/peers", description="Measures dbdyno beside its peers.")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--node", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)  # the arguments, and no more
    parser.add_argument("--count", help=argparse.SUPPRESS)  # the instructions of this comparison's peer, and no more
    for internal in ("--bin", "--client-cpu", "--server-cpu"):
        parser.add_argument(internal, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.pairs < 0 or args.seconds <= 0:
        parser.error("--pairs wants a number from 0 on, and --seconds more than nothing")
    return args


def print_list(every):
    try:
        for one in every:
            print(f"{one.name:<18} {one.title}")
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads it has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main():
    args = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="dbdyno-peers.") as scratch:
        args.scratch = scratch
        every = comparisons(args, scratch)
        if args.list:
            print_list(every)
            return 0
        wanted = [name for name in args.only.split(",") if name]
        unknown = set(wanted) - {one.name for one in every}
        if unknown:
            print(f"scripts/peers: --only: there is no {', '.join(sorted(unknown))}; --list names them all",
                  file=sys.stderr)
            return 2
        if args.check:
            return 0
        if args.count:
            one = next(one for one in every if one.name == args.count)
            print(f"{one.peer.instructions()} instructions")
            return 0
        try:
            with open(args.out + ".new", "w", encoding="utf-8"):
                pass  # so that nobody waits for what cannot be kept
        except OSError as error:
            raise Failure(f"cannot write {args.out}: {error.strerror}; name another place with --out") from None
        report = Report()
        failed = False
        try:
            if args.node:
                install_node_clients(scratch)
            # Now, while nothing can be lost by it.
            args.versions = versions(args)
            for one in every:
                if wanted and one.name not in wanted:
                    continue
                try:
                    report.compare(one, args)
                except (Failure, OSError, KeyError, ValueError, ZeroDivisionError) as error:
                    failed = True
                    print(f"  FAILED: {mask(str(error)) or type(error).__name__}", flush=True)
        finally:
            if report.rows:
                report.save(args.out, args)
            else:
                os.remove(args.out + ".new")
        if report.missed:
            print(f"{report.missed} targets missed")
        return 1 if failed or report.missed else 0


def end(number, _):
    # As an exception, so that what was started is ended and what was found is kept.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, end)
    try:
        sys.exit(main())
    except Failure as error:
        print(f"scripts/peers: {error}", file=sys.stderr)
        sys.exit(1)

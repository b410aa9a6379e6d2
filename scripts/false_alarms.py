"""Counts what dbdyno-compare says of builds of which the truth is known. See scripts/false-alarms, which starts the
servers and calls this."""

import argparse
import contextlib
import copy
import datetime
import itertools
import json
import math
import os
import platform
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

CELLS = ("get/memory/map/sync", "get/redis/wire/sync/transport:tcp", "get/mysql/text/sync/transport:tcp")
KEYS = 10_000
# How many repetitions a side the pilot has from which the tool tells how many are enough.
PILOT = 5
# Runs from which the spread between runs is learned, for sides that are recorded apart.
EARLIER = 4
METRICS = {"ops": "ops/s", "client_cpu": "client CPU", "p99": "p99"}


class Failure(Exception):
    pass


class UsageError(Failure):
    pass


# --- what can be said of counts


def binomial_tail(successes, trials, share):
    """The probability of at least so many successes."""
    if successes <= 0:
        return 1.0
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    return math.fsum(
        math.exp(math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
                 + k * math.log(share) + (trials - k) * math.log1p(-share))
        for k in range(successes, trials + 1))


def clopper_pearson(successes, trials, confidence=0.95):
    """The exact interval of a share: it covers the truth at least that often.

    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} of {trials}")
    outside = (1 - confidence) / 2

    def share_where(tail):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) else (low, middle)
        return (low + high) / 2

    low = 0.0 if successes == 0 else share_where(lambda p: binomial_tail(successes, trials, p) < outside)
    high = 1.0 if successes == trials else share_where(
        lambda p: 1 - binomial_tail(successes + 1, trials, p) > outside)
    return low, high


# --- result files


def repetitions_of(file):
    """Of a result file of dbdyno-bench: cell: its rows, each with what `cells` knows of it."""
    known = {(cell["name"], cell["repetition"]): cell for cell in file["dbdyno"]["cells"]}
    out = {}
    for row in file["benchmarks"]:
        if row.get("run_type") != "aggregate":
            name = row["run_name"]
            # Without what Google Benchmark adds to names about the timer.
            out.setdefault(name.removesuffix("/manual_time"), []).append((row, known[name, row["repetition_index"]]))
    return out


def merge(file, repetitions):
    """One result file in which these repetitions, of several runs of one program, are those of one run: what is said
    of the run is that of `file`. The statistics of each run are gone, for they are of no use together."""
    out = copy.copy(file)
    out["benchmarks"] = []
    out["dbdyno"] = {**file["dbdyno"], "cells": []}
    out["dbdyno"]["plan"] = {**file["dbdyno"]["plan"], "order": []}
    for index, (row, cell) in enumerate(repetitions):
        out["benchmarks"].append({**row, "repetitions": len(repetitions), "repetition_index": index,
                                  "family_index": 0})
        out["dbdyno"]["cells"].append({**cell, "repetition": index})
        out["dbdyno"]["plan"]["order"].append({"name": cell["name"], "repetition": index})
    return out


def change_of(compared):
    """Of dbdyno-compare's JSON on two sides and one cell, metric: what it says of the second side."""
    out = {}
    for metric in compared["metrics"]:
        for cell in metric["cells"]:
            first, second = cell["sides"]
            if "change" not in second:
                continue
            change = second["change"]
            out[metric["metric"]] = {
                "outcome": change["outcome"], "says": change["says"],
                **{key: change[key] for key in ("ratio", "low", "high", "p", "repetitions_for_margin")
                   if key in change},
                "repetitions": [first["repetitions"], second["repetitions"]],
                "values": [first["value"], second["value"]]}
    return out


# --- rates


def counted(records, said):
    hits = sum(said(record) for record in records)
    if not records:
        return None
    low, high = clopper_pearson(hits, len(records))
    return {"count": hits, "of": len(records), "low": low, "high": high}


def outcome_is(metric, *outcomes):
    return lambda record: record["metrics"].get(metric, {}).get("outcome") in outcomes


def slow_down(records):
    """By how much the rates of the second sides are lower on average, and the standard error of that."""
    logs = [math.log(record["metrics"]["ops"]["ratio"]) for record in records if "ops" in record["metrics"]]
    if not logs:
        return None
    error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else None
    return {"mean": math.exp(-statistics.fmean(logs)) - 1, **({"standard_error": error} if error is not None else {})}


def rates_of(records):
    """Of the comparisons of some cells, of each kind. capped: those that had fewer repetitions than recommended."""
    out = {"repetitions": sorted(record["repetitions"] for record in records if record["kind"] == "unchanged")}
    for kind in ("unchanged", "apart", "apart, with earlier runs"):
        of_kind = [record for record in records if record["kind"] == kind]
        for metric in METRICS:
            alarms = counted([one for one in of_kind if metric in one["metrics"]],
                             outcome_is(metric, "higher", "lower"))
            if alarms:
                out.setdefault(kind, {})[metric] = {"false alarms": alarms}
        if of_kind and kind in out and "ops" in out[kind]:
            out[kind]["ops"]["cannot tell"] = counted(of_kind, outcome_is("ops", "cannot tell"))
    slowed = [record for record in records if record["kind"] == "slowed"]
    enough = [record for record in slowed if not record["capped"]]
    capped = [record for record in slowed if record["capped"]]
    for name, group in (("slowed", enough), ("slowed, capped", capped)):
        if group:
            out[name] = {"found": counted(group, outcome_is("ops", "lower")),
                         "cannot tell": counted(group, outcome_is("ops", "cannot tell")),
                         "wrong way": counted(group, outcome_is("ops", "higher")),
                         "slower by": slow_down(group)}
    return out


def all_rates(records):
    """cell, or "all": its rates."""
    cells = list(dict.fromkeys(record["cell"] for record in records))
    out = {cell: rates_of([record for record in records if record["cell"] == cell]) for cell in cells}
    if len(cells) > 1:
        out["all"] = rates_of(records)
    return out


def in_groups(records, size):
    """`size` pairs in a row taken as one: of each such group and cell, the rates of the repetitions of each side. Pairs
    beyond the last whole group are left out."""
    samples = {}  # by cell, by pair: by side
    for record in records:
        samples.setdefault(record["cell"], {}).setdefault(record["pair"], {}).update(record.get("samples", {}))
    for cell, by_pair in samples.items():
        pairs = sorted(by_pair)
        for begin in range(0, len(pairs) - size + 1, size):
            group = [by_pair[pair] for pair in pairs[begin:begin + size]]
            yield cell, begin // size, {side: [rate for one in group for rate in one[side]]
                                        for side in ("plain", "same", "slow")}


def rows_of(cell, rates):
    """Google Benchmark's JSON with a repetition for each rate."""
    return {"context": {}, "benchmarks": [
        {"name": cell, "run_name": cell, "run_type": "iteration", "repetitions": len(rates), "repetition_index": index,
         "threads": 1, "iterations": 1, "real_time": 1e9 / rate, "cpu_time": 1e9 / rate, "time_unit": "ns",
         "items_per_second": rate} for index, rate in enumerate(rates)]}


def percent(share):
    return f"{100 * share:.1f}"


def share_text(rate):
    if rate is None:
        return "-"
    return f"{rate['count']} of {rate['of']} ({percent(rate['low'])} to {percent(rate['high'])} %)"


def markdown(rates):
    """The tables for results/README.md."""

    def find(rate, *keys):
        for key in keys:
            rate = (rate or {}).get(key)
        return rate

    def effect(rate):
        found = find(rate, "slower by")
        if not found:
            return "-"
        error = f" ± {percent(found['standard_error'])}" if "standard_error" in found else ""
        return f"{percent(found['mean'])}{error} %"

    lines = ["| cell | repetitions a side, median (range) | false alarms, all pairs | 5 % slower: found | ... cannot tell "
             "| measured slow-down |", "|---|---|---|---|---|---|"]
    for cell, rate in rates.items():
        n = rate["repetitions"]
        size = f"{statistics.median(n):g} ({n[0]} to {n[-1]})" if n else "-"
        for name, title in (("slowed", cell), ("slowed, capped", f"{cell}, fewer repetitions than recommended")):
            if name == "slowed, capped" and name not in rate:
                continue
            alarms = share_text(find(rate, "unchanged", "ops", "false alarms")) if name == "slowed" else ""
            lines.append(f"| {title} | {size if name == 'slowed' else ''} | {alarms} "
                         f"| {share_text(find(rate, name, 'found'))} "
                         f"| {share_text(find(rate, name, 'cannot tell'))} | {effect(find(rate, name))} |")
    lines += ["", "| false alarms | ops/s | client CPU | p99 | recorded apart, ops/s | ... with --earlier |",
              "|---|---|---|---|---|---|"]
    for cell, rate in rates.items():
        shares = [share_text(find(rate, "unchanged", metric, "false alarms")) for metric in METRICS]
        shares += [share_text(find(rate, kind, "ops", "false alarms"))
                   for kind in ("apart", "apart, with earlier runs")]
        lines.append(f"| {cell} | " + " | ".join(shares) + " |")
    return "\n".join(lines) + "\n"


# --- running things


def run(command):
    """The output of a command. It has a session of its own, so that an interrupt reaches us first."""
    name = os.path.basename(command[0])
    limit = 120
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            output, complaints = process.communicate(timeout=limit)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise Failure(f"{name} was not done after {limit} s") from None
            raise
    if process.returncode != 0:
        tail = "\n".join((complaints + output).splitlines()[-15:])
        raise Failure(f"{name} ended with status {process.returncode}:\n{tail}")
    return output


def load_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save_json(path, value):
    with open(path + ".new", "w", encoding="utf-8") as out:
        json.dump(value, out)
        out.write("\n")
    os.replace(path + ".new", path)


class Side:
    """One of the builds, and what it has measured for the pair at hand."""

    def __init__(self, name, program, scratch, args):
        # Paths of one length, since the stack begins below them and its alignment is worth a few percent.
        folder = f"{scratch}/{name}"
        os.mkdir(folder)
        self.program = shutil.copy2(program, f"{folder}/dbdyno-bench")
        self.out = f"{folder}/run.json"
        self.args = args
        self.files = {}  # by cell: the latest one
        self.failed = 0  # processes that had to be run once more
        self.repetitions = {}

    def start_pair(self):
        self.repetitions = {}

    def measure(self, cell, length):
        """One repetition, by a process of its own. length: flags."""
        command = [self.program, f"--benchmark_filter=^{cell}$", "--quiet", "--keys", str(KEYS), "--pin",
                   f"client={self.args.client_cpu}", *length, "--repetitions", "1", "--out", self.out]
        try:
            run(command)
        except Failure as error:
            # Once: an hour is not thrown away for a connection that was refused.
            print(f"scripts/false-alarms: once more: {error}", file=sys.stderr)
            self.failed += 1
            run(command)
        self.files[cell] = load_json(self.out)
        found = repetitions_of(self.files[cell]).get(cell, [])
        if len(found) != 1:
            raise Failure(f"{cell}: {len(found)} repetitions instead of one")
        self.repetitions.setdefault(cell, []).extend(found)
        return found[0][0]

    def write(self, path, cell, count):
        """Its first repetitions of a cell as one result file. Without histograms p99 would be another figure."""
        save_json(path, merge(self.files[cell], self.repetitions[cell][:count]))

    def rates(self, cell, count):
        return [float(f"{row['items_per_second']:.7g}") for row, _ in self.repetitions[cell][:count]
                if "items_per_second" in row]


def balanced_orders(of, seed):
    """Endlessly, all orders of `of` in turn, each turn shuffled: everybody stands everywhere equally often."""
    source = random.Random(seed)
    while True:
        orders = list(itertools.permutations(of))
        source.shuffle(orders)
        yield from orders


class Experiment:
    def __init__(self, args, scratch):
        self.args = args
        self.scratch = scratch
        self.cells = args.cells
        self.plain = Side("a", f"{args.bin}/dbdyno-bench", scratch, args)
        self.same = Side("b", f"{args.bin}/dbdyno-bench", scratch, args)
        self.slow = Side("h", args.handicapped, scratch, args)
        self.orders = balanced_orders((self.plain, self.same, self.slow), args.seed)
        self.pilot_orders = balanced_orders((self.plain, self.same), args.seed)
        self.records = []
        self.requests = {}     # by cell: of a repetition
        self.recommended = {}  # by cell; None: no number would do
        self.kept = {}         # by cell: files of the pairs before, (of plain, of same), the latest last

    def compare(self, first, second, *flags):
        out = run([f"{self.args.bin}/dbdyno-compare", first, second, "--format", "json", *flags])
        return change_of(json.loads(out))

    def learn(self, cell):
        """How many repetitions the tool recommends, from the first of the plain build and its copy."""
        files = []
        for side in (self.plain, self.same):
            files.append(f"{self.scratch}/pilot-{len(files)}.json")
            side.write(files[-1], cell, PILOT)
        told = self.compare(*files, "--metric", "ops")
        if "ops" not in told:
            raise Failure(f"{cell}: no repetition of the pilot counts")
        self.recommended[cell] = told["ops"].get("repetitions_for_margin")

    def length(self, cell):
        """So many requests, and not so many seconds: that way nothing is run beside the window, which would take
        longer than it."""
        return ["--requests", str(self.requests[cell])]

    def pilot(self):
        for cell in self.cells:
            tries = [self.plain.measure(cell, ["--duration", f"{self.args.seconds:g}"]) for _ in range(3)]
            rate = statistics.median(row["items_per_second"] for row in tries)
            self.requests[cell] = max(100, round(rate * self.args.seconds))
        self.slow.measure(self.cells[0], self.length(self.cells[0]))
        builds = self.check_builds()
        for side in (self.plain, self.same):
            side.start_pair()
        for cell in self.cells:
            self.take_turns(cell, self.pilot_orders, PILOT)
            self.learn(cell)
        return builds

    def take_turns(self, cell, orders, rounds):
        """One cell at a time, so that what is compared lies as close together as it can."""
        for _ in range(rounds):
            for side in next(orders):
                side.measure(cell, self.length(cell))

    def size_of(self, cell):
        recommended = self.recommended[cell]
        return self.args.most if recommended is None else min(recommended, self.args.most)

    def pair(self, number):
        sizes = {cell: self.size_of(cell) for cell in self.cells}
        capped = {cell: self.recommended[cell] != sizes[cell] for cell in self.cells}
        for side in (self.plain, self.same, self.slow):
            side.start_pair()
        for cell in self.cells:
            # The pilot of the next pair is the beginning of this one: it is independent of what it decides about.
            self.take_turns(cell, self.orders, max(PILOT, sizes[cell]))
        said = []
        for index, cell in enumerate(self.cells):
            files = {side: f"{self.scratch}/{name}-{index}-{number}.json"
                     for side, name in ((self.plain, "a"), (self.same, "b"), (self.slow, "h"))}
            for side, path in files.items():
                side.write(path, cell, sizes[cell])
            common = {"cell": cell, "pair": number, "repetitions": sizes[cell], "recommended": self.recommended[cell],
                      "capped": capped[cell]}
            metrics = ("--metric", ",".join(METRICS))
            unchanged = self.compare(files[self.plain], files[self.same], *metrics)
            # Forced, since the tool refuses to take a handicapped build for a real one.
            slowed = self.compare(files[self.plain], files[self.slow], *metrics, "--force")
            os.remove(files[self.slow])
            self.records.append({**common, "kind": "unchanged", "metrics": unchanged,
                                 "samples": {"plain": self.plain.rates(cell, sizes[cell]),
                                             "same": self.same.rates(cell, sizes[cell])}})
            self.records.append({**common, "kind": "slowed", "metrics": slowed,
                                 "samples": {"slow": self.slow.rates(cell, sizes[cell])}})
            self.apart(cell, common, files)
            self.learn(cell)
            size = f"{sizes[cell]} of {common['recommended'] or 'no number'}" if capped[cell] else sizes[cell]
            said.append(f"{cell.split('/')[1]} x {size}: {says(unchanged)} / {says(slowed)}")
        return "; ".join(said)

    def apart(self, cell, common, files):
        """The pair before beside this one, as if they were files that somebody recorded on two occasions."""
        kept = self.kept.setdefault(cell, [])
        if kept:
            told = self.compare(kept[-1][0], files[self.same], "--metric", "ops")
            self.records.append({**common, "kind": "apart", "metrics": told})
        if len(kept) > EARLIER:
            earlier = [word for plain, _ in kept[-1 - EARLIER:-1] for word in ("--earlier", plain)]
            told = self.compare(kept[-1][0], files[self.same], "--metric", "ops", *earlier)
            self.records.append({**common, "kind": "apart, with earlier runs", "metrics": told})
        kept.append((files[self.plain], files[self.same]))
        if len(kept) > EARLIER + 1:
            for path in kept.pop(0):
                os.remove(path)

    def check_builds(self):
        """What they say of themselves: the slow one that it is, and the other one not."""
        cell = self.cells[0]
        builds = {side: side.files[cell]["context"]["dbdyno_build_type"] for side in (self.plain, self.slow)}
        if "slowed down" not in builds[self.slow]:
            raise Failure(f"{self.args.handicapped} is no handicapped build: '{builds[self.slow]}'")
        if "slowed down" in builds[self.plain]:
            raise Failure(f"{self.args.bin}/dbdyno-bench is a handicapped build: '{builds[self.plain]}'")
        return {"plain": builds[self.plain], "slow": builds[self.slow]}


def says(change):
    return change["ops"]["outcome"] if "ops" in change else "nothing"


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"(?m)^model name\s*: (.*)$", file.read())
    return found.group(1) if found else "unknown"


def write_result(path, result):
    """One record a line, so that a difference of two files can be read."""
    with open(path + ".new", "w", encoding="utf-8") as out:
        out.write('{\n "context": ' + json.dumps(result["context"]) + ',\n "rates": ' + json.dumps(result["rates"]))
        out.write(',\n "comparisons": [\n  ')
        out.write(",\n  ".join(json.dumps(record) for record in result["comparisons"]))
        out.write("\n ]\n}\n")
    os.replace(path + ".new", path)


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="scripts/false-alarms", description="Counts how often dbdyno-compare is wrong.")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=0.06)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--cpus", choices=("shared", "own"), default="shared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("--table", metavar="FILE")
    parser.add_argument("--pool", type=int, metavar="N")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)  # the arguments, and no more
    for internal in ("--bin", "--handicapped", "--client-cpu", "--server-cpu", "--command"):
        parser.add_argument(internal, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    args.cells = [cell for cell in args.cells.split(",") if cell]
    if args.pairs < 1 or args.seconds <= 0 or args.minutes <= 0:
        parser.error("--pairs, --seconds and --minutes want more than nothing")
    if args.pool is not None and (args.pool < 1 or not args.table):
        parser.error("--pool wants a number of pairs, and --table FILE that has them")
    if args.most < PILOT:
        parser.error(f"--most wants {PILOT} at least, the length of the pilot")
    if not args.cells or len(set(args.cells)) != len(args.cells):
        parser.error("--cells wants names, each once, separated by commas")
    if any(re.search(r"[^\w/:.-]", cell) for cell in args.cells):
        parser.error("--cells wants names, not expressions; dbdyno-bench --list shows them")
    return args


def pooled(records, size, program):
    """What dbdyno-compare says of `size` pairs in a row taken as one."""
    out = []
    with tempfile.TemporaryDirectory(prefix="dbdyno-false-alarms.") as scratch:
        for cell, number, rates in in_groups(records, size):
            for side, values in rates.items():
                save_json(f"{scratch}/{side}.json", rows_of(cell, values))
            for kind, side in (("unchanged", "same"), ("slowed", "slow")):
                told = change_of(json.loads(run([program, f"{scratch}/plain.json", f"{scratch}/{side}.json", "--metric",
                                                 "ops", "--format", "json"])))
                out.append({"cell": cell, "pair": number, "kind": kind, "capped": False, "metrics": told,
                            "repetitions": len(rates[side])})
    if not out:
        raise UsageError(f"--pool: there are fewer than {size} pairs in the file")
    return out


def check_cells(args):
    known = run([f"{args.bin}/dbdyno-bench", "--list", "--benchmark_filter=.*"]).split()
    unknown = [cell for cell in args.cells if cell not in known]
    if unknown:
        raise UsageError(f"--cells: there is no {', '.join(unknown)}; dbdyno-bench --list --benchmark_filter=. shows all "
                         "names, and the servers here are reached by TCP")


def experiment(args):
    check_cells(args)
    with open(args.out + ".new", "w", encoding="utf-8"):
        pass  # so that nobody waits for what cannot be kept
    begin = time.monotonic()
    context = {"executable": "scripts/false-alarms", "command": (args.command or "").strip(),
               "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
               "cpu_model": cpu_model(), "num_cpus": os.cpu_count(), "kernel": platform.release(),
               "client_cpu": args.client_cpu, "server_cpu": args.server_cpu, "keys": KEYS, "seconds": args.seconds,
               "seed": args.seed, "most": args.most, "load_avg": [round(load, 2) for load in os.getloadavg()]}
    done = 0
    with tempfile.TemporaryDirectory(prefix="dbdyno-false-alarms.") as scratch:
        it = Experiment(args, scratch)
        try:
            context["builds"] = it.pilot()
            context["requests"] = it.requests
            for number in range(args.pairs):
                said = it.pair(number)
                done += 1
                minutes = (time.monotonic() - begin) / 60
                left = minutes / done * (args.pairs - done)
                print(f"[{done}/{args.pairs}, about {left:.0f} min left] {said}", file=sys.stderr, flush=True)
                if minutes > args.minutes and done < args.pairs:
                    print(f"scripts/false-alarms: {args.minutes:g} minutes are over after {done} of {args.pairs} pairs",
                          file=sys.stderr)
                    break
        finally:
            # Pairs are kept whole: the one that was interrupted is not.
            records = [record for record in it.records if record["pair"] < done]
            if records:
                context["pairs"] = done
                context["failed"] = sum(side.failed for side in (it.plain, it.same, it.slow))
                context["minutes"] = round((time.monotonic() - begin) / 60, 1)
                rates = all_rates(records)
                write_result(args.out, {"context": context, "rates": rates, "comparisons": records})
                print(f"results: {args.out}", file=sys.stderr)
                print(markdown(rates), end="", flush=True)
            else:
                os.remove(args.out + ".new")
    return 0 if done == args.pairs else 1


def main(words):
    args = parse_arguments(words)
    if args.table:
        records = load_json(args.table)["comparisons"]
        if args.pool:
            records = pooled(records, args.pool, f"{args.bin}/dbdyno-compare")
        print(markdown(all_rates(records)), end="")
        return 0
    if args.check:
        return 0
    return experiment(args)


def end(number, _):
    raise SystemExit(128 + number)


if __name__ == "__main__":
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, end)
    try:
        sys.exit(main(sys.argv[1:]))
    except UsageError as error:
        print(f"scripts/false-alarms: {error}", file=sys.stderr)
        sys.exit(2)
    except (Failure, OSError, ValueError, KeyError) as error:
        print(f"scripts/false-alarms: {type(error).__name__ + ': ' if isinstance(error, KeyError) else ''}{error}",
              file=sys.stderr)
        sys.exit(1)

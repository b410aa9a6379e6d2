#!/usr/bin/env python3
"""Checks the answers of results/statistics against scipy's.

Reads lines of JSON that scipy_check_test.cpp writes to a file: {"what": ..., the question, the answers}. Prints each answer that differs by more than 1e-9 of itself, then how many there were of each kind.
Exit status: 0 all agree, 1 some do not.
"""
import collections
import itertools
import json
import math
import sys

import numpy
from scipy import optimize, stats

TOLERANCE = 1e-9


def t_quantile(p, freedom):
    """stats.t.ppf of scipy 1.10 is good to 1e-8 only; its tail is better."""
    share = min(p, 1 - p)
    near = abs(stats.t.ppf(share, freedom))
    away = 0.01 * near + 1e-3
    quantile = optimize.brentq(lambda t: stats.t.sf(t, freedom) - share, near - away, near + away,
                               xtol=1e-15, rtol=1e-14)
    return math.copysign(quantile, p - 0.5)


def mann_whitney(q):
    first, second = q["first"], q["second"]
    both = len(first) + len(second)
    distinct = len(set(first + second)) == both
    if both > 50:
        p = stats.mannwhitneyu(first, second, method="asymptotic", use_continuity=True).pvalue
    elif distinct:
        p = stats.mannwhitneyu(first, second, method="exact").pvalue
    else:  # scipy's exact test knows no ties; the ranks dealt out in every way do
        ranks = stats.rankdata(first + second)
        sums = numpy.array([sum(dealt) for dealt in itertools.combinations(ranks, len(first))])
        seen = sum(ranks[:len(first)])
        p = min(1, 2 * min(numpy.mean(sums <= seen), numpy.mean(sums >= seen)))
    u = sum((a > b) + (a == b) / 2 for a in first for b in second)
    return {"p": p, "u": u}


def moments(q):
    values = q["values"]
    mean = numpy.mean(values)
    half = t_quantile(0.975, len(values) - 1) * stats.sem(values)
    return {"mean": mean, "median": numpy.median(values), "deviation": numpy.std(values, ddof=1),
            "low": mean - half, "high": mean + half}


def welch(q):
    first, second = q["first"], q["second"]
    a, b = (numpy.var(one, ddof=1) / len(one) for one in (first, second))
    freedom = (a + b) ** 2 / (a ** 2 / (len(first) - 1) + b ** 2 / (len(second) - 1))
    difference = numpy.mean(second) - numpy.mean(first)
    half = t_quantile(0.975, freedom) * math.sqrt(a + b)
    # The same by another way: the statistic and its p.
    found = stats.ttest_ind(second, first, equal_var=False)
    assert math.isclose(found.statistic, difference / math.sqrt(a + b), rel_tol=1e-9)
    return {"difference": difference, "low": difference - half, "high": difference + half,
            "p": found.pvalue}


def holm(q):
    p = q["values"]
    order = sorted(range(len(p)), key=p.__getitem__)
    out = [0.0] * len(p)
    for i, at in enumerate(order):
        out[at] = max(min(1, (len(p) - j) * p[order[j]]) for j in range(i + 1))
    return {"adjusted": out}


def percentile(q):
    return {"value": numpy.percentile(q["values"], q["percent"], method="inverted_cdf")}


def student_t(q):
    return {"quantile": t_quantile(q["p"], q["freedom"]), "tail": stats.t.sf(q["t"], q["freedom"])}


KINDS = {
    "mann_whitney": mann_whitney,
    "hodges_lehmann": lambda q: {"shift": numpy.median(numpy.subtract.outer(q["second"], q["first"]))},
    "moments": moments,
    "welch": welch,
    "holm": holm,
    "percentile": percentile,
    "t": student_t,
    "normal": lambda q: {"quantile": stats.norm.ppf(q["p"]), "share": stats.norm.cdf(q["z"])},
}


def agree(ours, theirs):
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(agree, ours, theirs))
    return math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=1e-12)


def main():
    seen, wrong = collections.Counter(), 0
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.readlines()
    for line in lines:
        q = json.loads(line)
        seen[q["what"]] += 1
        for name, theirs in KINDS[q["what"]](q).items():
            if not agree(q[name], theirs):
                wrong += 1
                print(f"{name}: ours {q[name]!r}, scipy's {theirs!r}: {line[:300].strip()}")
    print(", ".join(f"{count} {what}" for what, count in sorted(seen.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

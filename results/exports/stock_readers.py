"""What readers that are not ours say of an exported file, for stock_readers_test.

    stock_readers.py csv FILE         every line as a JSON object, by Python's csv
    stock_readers.py prometheus FILE  every sample as "name {labels} value", by prometheus_client

Exit status: 0, or 1 with what is wrong on standard error.
"""

import collections
import csv
import json
import sys


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file, strict=True))
    header = lines[0]
    if len(set(header)) != len(header):
        sys.exit("a column's name stands there twice")
    for line in lines[1:]:
        if len(line) != len(header):
            sys.exit(f"{len(line)} fields under a header of {len(header)}")
        print(json.dumps(dict(zip(header, line))))


def read_prometheus(path):
    from prometheus_client.parser import text_string_to_metric_families

    with open(path, encoding="utf-8") as file:
        text = file.read()
    # What expfmt of Prometheus and node_exporter's collector refuse and this parser takes.
    comments = collections.Counter(" ".join(l.split()[:3]) for l in text.splitlines() if l.startswith("#"))
    for comment, count in comments.items():
        if count != 1:
            sys.exit(f"{count} lines {comment}")
    seen = set()
    families = []
    for family in text_string_to_metric_families(text):
        families.append(family.name)
        if not family.documentation or family.type not in ("gauge", "summary"):
            sys.exit(f"{family.name}: no HELP or TYPE")
        for sample in family.samples:
            series = sample.name, tuple(sorted(sample.labels.items()))
            if series in seen:
                sys.exit(f"{series} is there twice")
            if sample.timestamp is not None:
                sys.exit(f"{series} has a timestamp")
            seen.add(series)
            print(sample.name, json.dumps(sample.labels, sort_keys=True), repr(sample.value))
    if len(set(families)) != len(families):
        sys.exit("the samples of a family do not stand together")
    if not text.endswith("\n"):
        sys.exit("the last line has no end")


{"csv": read_csv, "prometheus": read_prometheus}[sys.argv[1]](sys.argv[2])

"""What scripts/false-alarms computes, without servers."""

import itertools
import unittest
import unittest.mock

import false_alarms


def run_of(rates, errors=()):
    """A result file with a repetition of each cell, as dbdyno-bench writes it."""
    rows, cells, order = [], [], []
    for family, (cell, rate) in enumerate(rates.items()):
        name = f"{cell}/manual_time"
        rows.append({"name": name, "run_name": name, "run_type": "iteration", "family_index": family,
                     "repetitions": 1, "repetition_index": 0, "items_per_second": rate})
        rows.append({"name": f"{name}_mean", "run_name": name, "run_type": "aggregate", "repetitions": 1})
        cells.append({"name": name, "repetition": 0, "errors": {"timeout": 1} if cell in errors else {}})
        order.append({"name": name, "repetition": 0})
    return {"context": {"dbdyno_build_type": "X"}, "benchmarks": rows,
            "dbdyno": {"schema": 1, "plan": {"hash": "0", "order": order}, "cells": cells}}


def record(kind, outcome, cell="c", ratio=1.0, capped=False, repetitions=5):
    return {"cell": cell, "pair": 0, "kind": kind, "capped": capped, "repetitions": repetitions,
            "metrics": {"ops": {"outcome": outcome, "ratio": ratio}}}


class ClopperPearson(unittest.TestCase):
    # Known answers: R's binom.test.
    def check(self, successes, trials, low, high):
        found = false_alarms.clopper_pearson(successes, trials)
        self.assertAlmostEqual(found[0], low, places=4)
        self.assertAlmostEqual(found[1], high, places=4)

    def test_knows_what_others_compute(self):
        self.check(0, 60, 0, 0.0596)
        self.check(3, 60, 0.0104, 0.1392)
        self.check(60, 60, 0.9404, 1)
        self.check(5, 10, 0.1871, 0.8129)
        self.check(1, 1, 0.025, 1)

    def test_is_symmetric(self):
        for trials in (7, 60, 180, 2000):
            low, high = false_alarms.clopper_pearson(3, trials)
            other_low, other_high = false_alarms.clopper_pearson(trials - 3, trials)
            self.assertAlmostEqual(low, 1 - other_high, places=9)
            self.assertAlmostEqual(high, 1 - other_low, places=9)

    def test_refuses_what_is_no_share(self):
        for successes, trials in ((1, 0), (-1, 5), (6, 5)):
            with self.assertRaises(ValueError):
                false_alarms.clopper_pearson(successes, trials)


class Merge(unittest.TestCase):
    def test_makes_runs_the_repetitions_of_one(self):
        runs = [run_of({"x": rate, "y": 10 * rate}, ("x",) if rate == 2 else ()) for rate in (1, 2, 3)]
        repetitions = [false_alarms.repetitions_of(run)["x"][0] for run in runs]
        merged = false_alarms.merge(runs[-1], repetitions)
        rows = merged["benchmarks"]
        self.assertEqual([row["items_per_second"] for row in rows], [1, 2, 3])
        self.assertEqual([row["repetition_index"] for row in rows], [0, 1, 2])
        self.assertEqual([row["repetitions"] for row in rows], [3, 3, 3])
        self.assertEqual({row["family_index"] for row in rows}, {0})
        cells = merged["dbdyno"]["cells"]
        self.assertEqual([(cell["name"], cell["repetition"]) for cell in cells],
                         [("x/manual_time", 0), ("x/manual_time", 1), ("x/manual_time", 2)])
        self.assertEqual([bool(cell["errors"]) for cell in cells], [False, True, False])
        self.assertEqual([one["repetition"] for one in merged["dbdyno"]["plan"]["order"]], [0, 1, 2])
        self.assertEqual(merged["context"], runs[-1]["context"])

    def test_leaves_what_it_was_made_from(self):
        run = run_of({"x": 1})
        false_alarms.merge(run, 2 * false_alarms.repetitions_of(run)["x"])
        self.assertEqual(run, run_of({"x": 1}))


class Orders(unittest.TestCase):
    def test_put_everybody_everywhere_equally_often(self):
        orders = list(itertools.islice(false_alarms.balanced_orders("abh", 1), 12))
        for place, who in itertools.product(range(3), "abh"):
            self.assertEqual(sum(order[place] == who for order in orders), 4)
        self.assertEqual(len(set(orders[:6])), 6)

    def test_are_those_of_the_seed(self):
        first = [list(itertools.islice(false_alarms.balanced_orders("abh", seed), 60)) for seed in (1, 1, 2)]
        self.assertEqual(first[0], first[1])
        self.assertNotEqual(first[0], first[2])


class Rates(unittest.TestCase):
    def test_count_every_word(self):
        records = ([record("unchanged", word) for word in ("higher", "lower", "same", "cannot tell")]
                   + [record("slowed", word, ratio=1 / 1.05) for word in ("lower", "lower", "same", "cannot tell", "higher")])
        rates = false_alarms.all_rates(records)["c"]
        self.assertEqual(rates["unchanged"]["ops"]["false alarms"]["count"], 2)
        self.assertEqual(rates["unchanged"]["ops"]["false alarms"]["of"], 4)
        self.assertEqual(rates["unchanged"]["ops"]["cannot tell"]["count"], 1)
        self.assertEqual(rates["slowed"]["found"]["count"], 2)
        self.assertEqual(rates["slowed"]["cannot tell"]["count"], 1)
        self.assertEqual(rates["slowed"]["wrong way"]["count"], 1)
        self.assertAlmostEqual(rates["slowed"]["slower by"]["mean"], 0.05)

    def test_set_pairs_apart_that_had_fewer_repetitions_than_recommended(self):
        rates = false_alarms.all_rates([record("slowed", "lower"), record("slowed", "same", capped=True)])["c"]
        self.assertEqual(rates["slowed"]["found"]["of"], 1)
        self.assertEqual(rates["slowed, capped"]["found"]["count"], 0)

    def test_of_all_cells_are_added_up(self):
        rates = false_alarms.all_rates([record("slowed", "lower", cell) for cell in "ccd"])
        self.assertEqual(list(rates), ["c", "d", "all"])
        self.assertEqual(rates["all"]["slowed"]["found"]["of"], 3)

    def test_are_printed_with_their_intervals(self):
        records = [record("unchanged", "same", repetitions=n) for n in (4, 6, 9)]
        records += [record("slowed", "lower", ratio=1 / 1.05)] * 3
        text = false_alarms.markdown(false_alarms.all_rates(records))
        self.assertIn("| c | 6 (4 to 9) | 0 of 3 (0.0 to 70.8 %) | 3 of 3 (29.2 to 100.0 %) | 0 of 3 (0.0 to 70.8 %) "
                      "| 5.0 ± 0.0 % |", text)


class Groups(unittest.TestCase):
    def test_are_pairs_in_a_row_taken_as_one(self):
        records = []
        for pair in range(5):
            for cell in ("c", "d"):
                records.append({"cell": cell, "pair": pair, "kind": "unchanged",
                                "samples": {"plain": [pair, pair + 0.5], "same": [10 + pair]}})
                records.append({"cell": cell, "pair": pair, "kind": "slowed", "samples": {"slow": [20 + pair]}})
                records.append({"cell": cell, "pair": pair, "kind": "apart"})
        groups = list(false_alarms.in_groups(records, 2))
        self.assertEqual([(cell, number) for cell, number, _ in groups], [("c", 0), ("c", 1), ("d", 0), ("d", 1)])
        self.assertEqual(groups[1][2], {"plain": [2, 2.5, 3, 3.5], "same": [12, 13], "slow": [22, 23]})

    def test_become_rows_with_those_rates(self):
        rows = false_alarms.rows_of("c", [4.0, 5.0])["benchmarks"]
        self.assertEqual([row["items_per_second"] for row in rows], [4.0, 5.0])
        self.assertEqual([row["repetition_index"] for row in rows], [0, 1])


class Words(unittest.TestCase):
    def test_of_two_sides_are_found(self):
        compared = {"metrics": [{"metric": "ops", "cells": [{"name": "x", "sides": [
            {"side": "a", "repetitions": 5, "value": 10.0},
            {"side": "b", "repetitions": 4, "value": 9.0,
             "change": {"ratio": 0.9, "low": 0.8, "high": 1.0, "p": 0.01, "adjusted_p": 0.01, "outcome": "lower",
                        "says": "slower", "repetitions_for_margin": 7}}]}]}]}
        found = false_alarms.change_of(compared)["ops"]
        self.assertEqual(found["outcome"], "lower")
        self.assertEqual(found["repetitions_for_margin"], 7)
        self.assertEqual(found["repetitions"], [5, 4])

    def test_are_none_where_nothing_was_compared(self):
        self.assertEqual(false_alarms.change_of({"metrics": [{"metric": "ops", "cells": [{"sides": [
            {"side": "a", "repetitions": 5, "value": 1}, {"side": "b", "repetitions": 0}]}]}]}), {})


class Arguments(unittest.TestCase):
    def test_are_checked(self):
        for words in (["--pairs", "0"], ["--cells", ""], ["--cells", "a,a"], ["--cells", "get/.*"], ["--most", "4"],
                      ["--seconds", "0"], ["--nonsense"]):
            with self.assertRaises(SystemExit) as caught, open("/dev/null", "w", encoding="utf-8") as null:
                with unittest.mock.patch("sys.stderr", null):
                    false_alarms.parse_arguments(words)
            self.assertEqual(caught.exception.code, 2, words)


if __name__ == "__main__":
    unittest.main()

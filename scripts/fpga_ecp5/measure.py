# SPDX-License-Identifier: MIT OR Apache-2.0
"""What each module of the unit costs, synthesized by itself."""

from collections import Counter
from dataclasses import dataclass

import levels
import netlist
import synthesis
import yosys


@dataclass
class Row:
    """A module: the sum of its instances, and the longest path of them."""

    module: str
    depth: int         # how far below the unit
    instances: int
    count: Counter
    sites: int
    path: levels.Path


class Unit:
    def __init__(self, hierarchy, names):
        shown = hierarchy.instances()
        self.whole = not names
        if names:
            for name in names:
                hierarchy.find(name)
            shown = [instance for instance in shown if instance.module in names]
        wanted = {below.path: below for instance in shown for below in tree(instance)}
        self.netlists = synthesized(hierarchy, list(wanted.values()))
        self.rows = {}
        for instance in shown:
            self.row(instance)

    def row(self, instance):
        made = netlist.joined(instance, self.netlists)
        path = levels.longest(made)
        row = self.rows.get(instance.module)
        if row is None:
            depth = instance.path.count(".") + 1 if instance.path else 0
            self.rows[instance.module] = Row(instance.module, depth, 1, made.count, made.sites, path)
            return
        row.instances += 1
        row.count = row.count + made.count
        row.sites += made.sites
        row.path = max(row.path, path, key=lambda one: one.levels)


def tree(instance):
    return [instance] + [below for part in instance.parts.values() for below in tree(part)]


def synthesized(hierarchy, instances):
    """Netlists by path. Those begin first that have the most text: they take longest."""
    def job(instance, number):
        out = hierarchy.work / f"module{number}.json"
        synthesis.module(hierarchy, instance, out)
        return instance.path, netlist.read(out)

    order = sorted(instances, key=lambda instance: -len(hierarchy.text[instance.name]))
    return dict(yosys.all_of([lambda i=instance, n=number: job(i, n) for number, instance in enumerate(order)]))

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random loads and stores of SPA 5.0 on the unit, written from docs alone: integration.md, ports.md, log.md.

It knows nothing of what the unit should do: it prints what crosses the ports, and `gpu-lsu judge` says whether that was
right. run.py builds the unit and starts it.

Everything is driven on the falling edge of the clock, and sampled in the same time step once all has settled. Nothing
moves from there to the rising edge, so what is read is what the edge takes, whatever order a simulator has.
"""

import json
import math
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

# A few lines, so that operations meet in them; accesses around the ends of the allocation fault.
ALLOC_BASE, ALLOC_SIZE = 0x10000, 0x400
# Cycles without a transfer after which all is over, or nothing will ever be.
PATIENCE = 200


class Layout:
    """`gpu-lsu layout --json`: the ports, and where the fields of a struct stand in them."""

    def __init__(self, text):
        layout = json.loads(text)
        self.lanes, self.line_bytes = layout["lanes"], layout["line_bytes"]
        self.ports = {port["name"]: port for port in layout["ports"]}

    def pack(self, port, values):
        """The bits of a port of which these fields are not 0; a value is a number or the name of a code."""
        fields = {field["path"]: field for field in self.ports[port]["fields"]}
        bits = 0
        for path, value in values.items():
            field = fields[path]
            number = field["values"][value] if isinstance(value, str) else value
            assert 0 <= number < 1 << field["width"], f"{path} = {number}"
            bits |= number << field["offset"]
        return bits

    def payload(self, channel):
        """The payload ports of a channel, by their names in the log."""
        names = (name for name in self.ports if name.startswith(channel + "_"))
        names = [name for name in names if not name.endswith(("_valid_i", "_valid_o", "_ready_i", "_ready_o"))]
        return {name[len(channel) + 1 : -2] or "bits": name for name in names}


class Log:
    """The events, a line each."""

    def __init__(self, path, layout):
        self.file = open(path, "w", encoding="utf-8")
        self.cycle = 0
        unit = {"lanes": layout.lanes, "line_bytes": layout.line_bytes}
        self.write({"gpu_lsu_log": 1, "unit": unit, "about": "examples/cocotb"})

    def event(self, name, value, **more):
        self.write({"cycle": self.cycle, name: value} | more)

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")


class Source:
    """A channel on which the bench offers: now and then, and then until it is taken."""

    def __init__(self, dut, log, event, channel, ports, rng):
        self.log, self.event, self.rng = log, event, rng
        self.valid, self.ready = getattr(dut, f"{channel}_valid_i"), getattr(dut, f"{channel}_ready_o")
        self.ports = {name: getattr(dut, port) for name, port in ports.items()}

    def reset(self):
        self.offered = None
        self.valid.value = 0

    def drive(self, choose):
        """`choose()` makes the next offer, a value a port, or has none."""
        if self.offered is None:
            self.offered = choose() if self.rng.random() < 0.7 else None
            self.valid.value = self.offered is not None
            for name, value in (self.offered or {}).items():
                self.ports[name].value = value

    def taken(self):
        """What the coming edge takes."""
        offered = self.offered
        if offered is None or not int(self.ready.value):
            return None
        values = {name: hex(value) for name, value in offered.items()}
        # A beat of data is one port, and has no names.
        self.log.event(self.event, values.get("", values))
        self.offered = None
        return offered


class Sink:
    """A channel on which the unit offers, and the bench is ready now and then."""

    def __init__(self, dut, log, event, channel, ports, rng):
        self.log, self.event, self.rng = log, event, rng
        self.valid, self.ready = getattr(dut, f"{channel}_valid_o"), getattr(dut, f"{channel}_ready_i")
        self.ports = {name: getattr(dut, port) for name, port in ports.items()}

    def reset(self):
        self.waiting = None
        self.ready.value = 0

    def drive(self):
        self.is_ready = self.rng.random() < 0.7
        self.ready.value = self.is_ready

    def taken(self):
        """What the coming edge takes. What has to wait is logged as well, once for as long as it stays the same."""
        waiting, self.waiting = self.waiting, None
        if not int(self.valid.value):
            if waiting is not None:
                self.log.event("withdrawn", self.event)
            return None
        values = {name: hex(int(port.value)) for name, port in self.ports.items()}
        if self.is_ready:
            self.log.event(self.event, values)
            return {name: int(value, 16) for name, value in values.items()}
        if values != waiting:
            self.log.event(self.event, values, taken=False)
        self.waiting = values
        return None


class Memory:
    """Answers in any order. A write is applied when it is taken; some are seen by the GPU first, by all later."""

    def __init__(self, layout, rng):
        self.rng, self.line_bytes, self.lines = rng, layout.line_bytes, {}
        self.kinds = layout.ports["mem_req_kind_o"]["fields"][0]["values"]
        self.scopes = layout.ports["mem_rsp_scope_i"]["fields"][0]["values"]

    def reset(self):
        self.answers = []  # what each request still gets, in order

    def request(self, request):
        line = self.lines.setdefault(request["addr"], self.rng.getrandbits(8 * self.line_bytes))
        error = int(self.rng.random() < 0.02)
        last = {"id": request["id"], "data": line, "error": error, "exclusive_failed": 0}
        last |= {"scope": self.scopes["Sys"], "last": 1}
        if request["kind"] == self.kinds["Read"]:
            self.answers.append([last])
            return
        if not error:
            mask = sum(0xFF << 8 * byte for byte in range(self.line_bytes) if request["be"] >> byte & 1)
            self.lines[request["addr"]] = line & ~mask | request["data"] & mask
        first = last | {"scope": self.scopes["Gpu"], "last": 0}
        twice = self.rng.random() < 0.5
        self.answers.append([first, last | {"error": 0}] if twice else [last])

    def answer(self):
        if not self.answers:
            return None
        some = self.answers.pop(self.rng.randrange(len(self.answers)))
        if some[1:]:
            self.answers.append(some[1:])
        return some[0]


class Program:
    """Random operations, and their data: two streams, each at its own pace."""

    def __init__(self, layout, rng, operations):
        self.layout, self.rng = layout, rng
        self.operations, self.beats = [], []
        # In flight: a tag is free again once its operation is done.
        self.tags = set(range(256))
        for _ in range(operations):
            self.add()

    def add(self):
        rng, lanes = self.rng, range(self.layout.lanes)
        kind = rng.choice(["Load", "Store"])
        size = rng.choice([4, 8, 16])
        imm = rng.choice([0, 0x10, 0x20])
        first = ALLOC_BASE + rng.randrange(-4, ALLOC_SIZE // 16) * 16
        # Side by side, or anywhere.
        near = rng.random() < 0.6
        addr = [first + lane * size if near else ALLOC_BASE + rng.randrange(ALLOC_SIZE + 64) for lane in lanes]
        operation = {
            "kind": kind,
            "addr_mode": "Reg32",
            "space": "Predicated",
            "warp": rng.randrange(8),
            "imm": imm,
            "element_bytes": size,
            "element_count": 1,
            "element_mask": 1,
            "attr.cache_op": rng.choice(["Ca", "Cg", "Cv"] if kind == "Load" else ["Wb", "Cg", "Cs"]),
        }
        everyone = (1 << self.layout.lanes) - 1
        # A global address in every lane.
        lanes = {"active": rng.choice([everyone, rng.randrange(everyone + 1)]), "helper": 0, "predicate": everyone}
        lanes["addr"] = self.layout.pack("op_addr_i", {f"[{lane}][0]": value for lane, value in enumerate(addr)})
        self.operations.append((operation, lanes))
        if kind == "Store":
            self.beats += [rng.getrandbits(32 * self.layout.lanes) for _ in range(size // 4)]

    def next_operation(self):
        if not self.operations or not self.tags:
            return None
        operation, lanes = self.operations.pop(0)
        return {"bits": self.layout.pack("op_i", operation | {"tag": self.tags.pop()}), **lanes}

    def next_beat(self):
        return {"": self.beats.pop(0)} if self.beats else None


@cocotb.test()
async def loads_and_stores(dut):
    with open(os.environ["BENCH_LAYOUT"], encoding="utf-8") as file:
        layout = Layout(file.read())
    rng = random.Random(int(os.environ["BENCH_SEED"]))
    operations = int(os.environ["BENCH_OPS"])
    log = Log(os.environ["BENCH_LOG"], layout)

    op = Source(dut, log, "op", "op", layout.payload("op"), rng)
    data = Source(dut, log, "data", "data", {"": "data_i"}, rng)
    rsp = Source(dut, log, "rsp", "mem_rsp", layout.payload("mem_rsp"), rng)
    req = Sink(dut, log, "req", "mem_req", layout.payload("mem_req"), rng)
    wb = Sink(dut, log, "wb", "wb", layout.payload("wb"), rng)
    done = Sink(dut, log, "done", "done", layout.payload("done"), rng)
    memory = Memory(layout, rng)

    ctrl = layout.pack("ctrl_i", {"alloc[0].base": ALLOC_BASE, "alloc[0].size": ALLOC_SIZE})
    dut.ctrl_i.value = ctrl
    log.event("ctrl", hex(ctrl))
    Clock(dut.clk_i, 2, "ns").start()

    # Twice: the second reset cuts off what is in flight.
    for until in (operations // 4, math.inf):
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 0
        for part in (op, data, rsp, req, wb, done, memory):
            part.reset()
        log.event("reset", True)
        log.cycle += 1
        program = Program(layout, rng, operations)
        finished, idle = 0, 0
        while finished < until and idle < PATIENCE:
            await FallingEdge(dut.clk_i)
            dut.rst_ni.value = 1
            op.drive(program.next_operation)
            data.drive(program.next_beat)
            rsp.drive(memory.answer)
            for sink in (req, wb, done):
                sink.drive()
            await ReadOnly()
            asked, over = req.taken(), done.taken()
            moved = [asked, over, op.taken(), data.taken(), rsp.taken(), wb.taken()]
            if asked:
                memory.request(asked)
            if over:
                program.tags.add(over["tag"])
                finished += 1
            idle = 0 if any(moved) else idle + 1
            log.cycle += 1
    offered = any(source.offered is not None for source in (op, data, rsp))
    log.event("end", {"offered": True} if offered else True)
    log.file.close()
    dut._log.info("%d cycles", log.cycle)

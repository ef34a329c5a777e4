# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random operations on the unit with lsu_axi at its memory port, and a fabric that takes every liberty.

Two opinions: the log of the unit's own ports, which `gpu-lsu judge` judges, and a second memory, kept from the unit's
requests as they stand at its port, with which the bytes behind the bus and every answer are compared.
"""

import json
import math
import os
import random
from collections import Counter

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

import bench
from fabric import Fabric

UAV_BASE, UAV_SIZE = 0x20FC0, 0x100  # over the end of a 4 KiB page
# Codes of rtl/lsu_pkg.sv and src/op/codes.rs.
CACHE_CV, CACHE_CS, CACHE_WT, EVICT_FIRST, NO_ALLOCATE = 3, 5, 6, 2, 4
# ARCACHE and AWCACHE, of write-back and of write-through.
ALLOCATED = ((0b1111, 0b1111), (0b1110, 0b1110))
NOT_ALLOCATED = ((0b1011, 0b0111), (0b1010, 0b0110))
# Cycles without a transfer after which all is over, or nothing will ever be.
PATIENCE = 300


class Log(bench.Log):
    """With what memory holds as it begins, so that the histories of compare-and-stores are judged."""

    def __init__(self, path, layout, image):
        self.file = open(path, "w", encoding="utf-8")
        self.cycle = 0
        unit = {"lanes": layout.lanes, "line_bytes": layout.line_bytes, "pending": 8}
        memory = {"seed": "0x0", "bytes": [{"addr": hex(addr), "bytes": [value]} for addr, value in image.items()]}
        self.write({"gpu_lsu_log": 1, "unit": unit, "about": "tests/axi", "memory": memory, "offers": True})


class Watched(bench.Sink):
    """A channel between the unit and lsu_axi: nobody here drives it."""

    def __init__(self, unit, log, event, channel, ports, valid, ready):
        self.log, self.event = log, event
        self.valid, self.ready = getattr(unit, f"{channel}_valid_{valid}"), getattr(unit, f"{channel}_ready_{ready}")
        self.ports = {name: getattr(unit, port) for name, port in ports.items()}

    def reset(self):
        self.waiting = None

    def taken(self):
        self.is_ready = bool(int(self.ready.value))
        if self.event == "rsp" and not self.is_ready:
            return None  # what waits is of interest where the unit offers
        return super().taken()


class Program(bench.Program):
    """Loads and stores as there, and compare-and-stores, mmio and strong stores."""

    def add(self):
        choice = self.rng.random()
        if choice < 0.5:
            super().add()
        elif choice < 0.75:
            self.add_store()
        else:
            self.add_compare()

    def add_operation(self, operation, first, size, beats):
        """Each lane in its place, or anywhere near."""
        rng, lanes = self.rng, range(self.layout.lanes)
        addr = {f"[{lane}][0]": first + rng.choice([lane, 0, rng.randrange(8)]) * size for lane in lanes}
        everyone = (1 << self.layout.lanes) - 1
        priority = rng.choice(["Normal", "First", "Last", "NoAllocate"])
        operation |= {"warp": rng.randrange(8), "attr.l2_priority": priority, "attr.uncached": int(rng.random() < 0.25)}
        active = rng.choice([everyone, rng.randrange(everyone + 1)])
        given = {"active": active, "helper": 0, "predicate": everyone, "addr": self.layout.pack("op_addr_i", addr)}
        self.operations.append((operation, given))
        self.beats += [rng.getrandbits(32 * self.layout.lanes) for _ in range(beats)]

    def add_store(self):
        rng = self.rng
        size = rng.choice([1, 2, 4, 8, 16])
        operation = {"kind": "Store", "addr_mode": "Reg64", "space": "Global", "element_bytes": size}
        operation |= {"element_count": 1, "element_mask": 1, "attr.scope": "Sys"}
        operation["attr.cache_op"] = rng.choice(["Wb", "Wt", "Cs"])
        operation["attr.semantics"] = rng.choice(["Mmio", "Mmio", "MmioRelease", "Volatile", "Relaxed", "Release"])
        first = bench.ALLOC_BASE + rng.randrange(bench.ALLOC_SIZE // 16 - 8) * 16
        self.add_operation(operation, first, size, max(1, size // 4))

    def add_compare(self):
        rng = self.rng
        operation = {"kind": "CmpStore", "addr_mode": "Raw", "space": "Uav", "slot": 0, "element_bytes": 4}
        operation |= {"element_count": 1, "element_mask": 1}
        self.add_operation(operation, rng.randrange(UAV_SIZE // 4) * 4, 4, 0)
        # Few values, so that some are found.
        for _ in range(2):
            word = [rng.randrange(3) for _ in range(self.layout.lanes)]
            self.beats.append(sum(value << 32 * lane for lane, value in enumerate(word)))


class Reference:
    """What memory should hold, and each answer say, from the requests at the unit's port alone."""

    def __init__(self, log, layout, image):
        self.log, self.line_bytes, self.image = log, layout.line_bytes, dict(image)
        self.kinds = layout.ports["mem_req_kind_o"]["fields"][0]["values"]
        self.attr = {field["path"]: field for field in layout.ports["mem_req_attr_o"]["fields"]}
        self.count, self.seen = 0, Counter()
        self.reset()

    def reset(self):
        self.requests, self.answers = {}, {}

    def request(self, request):
        assert request["id"] not in self.requests, "an id is asked twice"
        self.requests[request["id"]] = request | {"number": self.count}
        self.count += 1

    def field(self, request, name):
        field = self.attr[name]
        return request["attr"] >> field["offset"] & (1 << field["width"]) - 1

    def cache(self, request, write, exclusive):
        """AxCACHE, by the table of docs/axi.md."""
        operator, volatile = self.field(request, "cache_op"), self.field(request, "semantics") == 1
        if exclusive or volatile or self.field(request, "uncached") or operator == CACHE_CV:
            return 0b0010
        allocates = operator != CACHE_CS and self.field(request, "l2_priority") not in (EVICT_FIRST, NO_ALLOCATE)
        table = ALLOCATED if allocates else NOT_ALLOCATED
        return table[operator == CACHE_WT][write]

    def applied(self, burst, write, error, refused):
        """The fabric has come to this burst: it must be the request of that id."""
        request = self.requests.get(burst.id)
        assert request and burst.id not in self.answers, f"id {burst.id} is not in flight"
        kind = {number: name for name, number in self.kinds.items()}[request["kind"]]
        access = ("Write" if write else "Read") + ("Exclusive" if burst.lock else "")
        assert kind == access, f"{kind} became {access}"
        enabled = [i for i in range(self.line_bytes) if request["be"] >> i & 1]
        mmio = kind == "Write" and self.field(request, "semantics") in (4, 5)
        if mmio:
            assert list(burst.at) == [request["addr"] + i for i in enabled], "an mmio access of other bytes"
        else:
            assert (burst.addr, burst.bytes) == (request["addr"], self.line_bytes), "a burst that is not the line"
        cache = 0 if mmio else self.cache(request, write, burst.lock)
        attributes = (burst.cache, burst.prot, burst.qos)
        assert attributes == (cache, 2, int(mmio or burst.lock)), f"attributes {attributes} for {request}"
        self.seen[kind, "mmio" if mmio else "error" if error else "refused" if refused else "made"] += 1
        made = not error and not (write and refused)
        if write and made:
            for i in enabled:
                self.image[request["addr"] + i] = request["data"] >> 8 * i & 0xFF
        held = {i: self.image[request["addr"] + i] for i in enabled if not write}
        self.answers[burst.id] = {"error": int(error), "exclusive_failed": int(refused and not error), "held": held}
        self.log.event("applied", {"request": request["number"], "made": made})

    def written(self, addr, data):
        """Another master has."""
        self.image.update(zip(range(addr, addr + len(data)), data))
        self.log.event("foreign", {"addr": hex(addr), "bytes": data})

    def answer(self, answer):
        want = self.answers.pop(answer["id"], None)
        assert want, f"an answer for id {answer['id']}, which the fabric did not give"
        del self.requests[answer["id"]]
        for name in ("error", "exclusive_failed"):
            assert answer[name] == want[name], f"{name} of {answer} became another than {want}"
        if not want["error"]:
            got = {i: answer["data"] >> 8 * i & 0xFF for i in want["held"]}
            assert got == want["held"], f"a line became another: {answer}"


@cocotb.test()
async def everything(dut):
    with open(os.environ["BENCH_LAYOUT"], encoding="utf-8") as file:
        layout = bench.Layout(file.read())
    rng = random.Random(int(os.environ["BENCH_SEED"]))
    operations = int(os.environ["BENCH_OPS"])
    areas = [(bench.ALLOC_BASE, bench.ALLOC_SIZE), (UAV_BASE - 0x40, UAV_SIZE + 0x80)]
    image = {base + i: 0 if i % 4 else rng.randrange(3) for base, size in areas for i in range(size)}
    log = Log(os.environ["BENCH_LOG"], layout, image)
    reference = Reference(log, layout, image)
    # One line of the u# is in a memory that has no exclusive accesses.
    without = (UAV_BASE + UAV_SIZE - 1) // layout.line_bytes
    contested = range(UAV_BASE, UAV_BASE + UAV_SIZE)
    plain = lambda addr: addr // layout.line_bytes == without  # noqa: E731
    fabric = Fabric(dut, rng, image, plain, contested, reference.applied, reference.written)
    fabric.stall(0.3)

    op = bench.Source(dut, log, "op", "op", layout.payload("op"), rng)
    data = bench.Source(dut, log, "data", "data", {"": "data_i"}, rng)
    wb = bench.Sink(dut, log, "wb", "wb", layout.payload("wb"), rng)
    done = bench.Sink(dut, log, "done", "done", layout.payload("done"), rng)
    req = Watched(dut.u_lsu, log, "req", "mem_req", layout.payload("mem_req"), "o", "i")
    rsp = Watched(dut.u_lsu, log, "rsp", "mem_rsp", layout.payload("mem_rsp"), "i", "o")

    values = {"alloc[0].base": bench.ALLOC_BASE, "alloc[0].size": bench.ALLOC_SIZE, "uav[0].kind": "Raw"}
    ctrl = layout.pack("ctrl_i", values | {"uav[0].base": UAV_BASE, "uav[0].size": UAV_SIZE})
    dut.ctrl_i.value = ctrl
    log.event("ctrl", hex(ctrl))
    Clock(dut.clk_i, 2, "ns").start()

    # Twice: the second reset cuts off what is in flight, in the fabric too.
    for until in (operations // 4, math.inf):
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 0
        for part in (op, data, req, rsp, wb, done):
            part.reset()
        log.event("reset", True)
        for _ in range(3):
            await FallingEdge(dut.clk_i)
            log.cycle += 1
        for part in (fabric, reference):
            part.reset()
        program = Program(layout, rng, operations)
        finished, idle = 0, 0
        while finished < until and idle < PATIENCE:
            await FallingEdge(dut.clk_i)
            dut.rst_ni.value = 1
            fabric.step()
            op.drive(program.next_operation)
            data.drive(program.next_beat)
            for sink in (wb, done):
                sink.drive()
            await ReadOnly()
            asked, answered, over = req.taken(), rsp.taken(), done.taken()
            moved = [asked, answered, over, op.taken(), data.taken(), wb.taken()]
            if asked:
                reference.request(asked)
            if answered:
                reference.answer(answered)
            if over:
                program.tags.add(over["tag"])
                finished += 1
            idle = 0 if any(moved) else idle + 1
            log.cycle += 1
    offered = any(source.offered is not None for source in (op, data))
    log.event("end", {"offered": True} if offered else True)
    log.file.close()
    assert fabric.idle() and not reference.requests, "something is still in flight"
    wrong = [hex(addr) for addr, value in reference.image.items() if image[addr] != value]
    assert not wrong, f"memory is not what was asked for, at {wrong[:8]}"
    # Every kind of access met every answer.
    outcomes = [(kind, how) for kind in reference.kinds for how in ("made", "error")] + [("Write", "mmio")]
    outcomes += [(kind, "refused") for kind in ("ReadExclusive", "WriteExclusive")]
    assert not set(outcomes) - set(reference.seen), reference.seen
    dut._log.info("%d cycles, %s", log.cycle, dict(reference.seen))

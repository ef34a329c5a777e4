# SPDX-License-Identifier: MIT OR Apache-2.0
"""A memory behind AXI4 that takes every liberty, over the channels of cocotbext-axi.

Its own AxiRam answers in order and knows no exclusive access; here requests are applied in any order and after any
time, read beats of different ids are interleaved, some fail, and there is a monitor for exclusive accesses.
"""

import itertools

from cocotbext.axi import AxiBus
from cocotbext.axi.axi_channels import AxiARSink, AxiAWSink, AxiBSource, AxiRSource, AxiWSink
from cocotbext.axi.constants import AxiBurstType, AxiResp

FAILURES = (AxiResp.SLVERR, AxiResp.DECERR)


class Burst:
    """What AW or AR asked for."""

    def __init__(self, channel, item, lanes):
        def field(name):
            return int(getattr(item, channel + name))

        self.id, self.addr, self.size, self.beats = field("id"), field("addr"), field("size"), field("len") + 1
        self.lock, self.cache, self.qos, self.prot = field("lock"), field("cache"), field("qos"), field("prot")
        self.bytes = self.beats << self.size
        assert field("burst") == AxiBurstType.INCR
        assert 1 << self.size <= lanes and (self.beats == 1 or 1 << self.size == lanes), "a narrow burst"
        assert self.addr % self.bytes == 0, "a burst off its boundary"
        assert self.addr // 4096 == (self.addr + self.bytes - 1) // 4096, "a burst over 4 KiB"
        self.at = range(self.addr, self.addr + self.bytes)


class Fabric:
    """`image` is what it holds, a byte an address; `no_monitor(addr)`: exclusive accesses are plain there.

    It tells what it does to `applied`, and to `written` what another master does to the `contested` addresses.
    """

    def __init__(self, dut, rng, image, no_monitor, contested, applied, written):
        bus = AxiBus.from_prefix(dut, "m_axi")
        reset = (dut.clk_i, dut.rst_ni, False)
        self.aw, self.w = AxiAWSink(bus.write.aw, *reset), AxiWSink(bus.write.w, *reset)
        self.b, self.ar = AxiBSource(bus.write.b, *reset), AxiARSink(bus.read.ar, *reset)
        self.r = AxiRSource(bus.read.r, *reset)
        self.channels = (self.aw, self.w, self.b, self.ar, self.r)
        self.rng, self.image, self.no_monitor, self.contested = rng, image, no_monitor, contested
        self.applied, self.written = applied, written
        self.lanes = len(dut.m_axi_wstrb)
        self.reset()

    def stall(self, often):
        """Each channel stops now and then, by itself."""
        for channel in self.channels:
            channel.set_pause_generator(self.rng.random() < often for _ in itertools.count())

    def reset(self):
        for channel in self.channels:
            channel.clear()
        # Bursts whose data come, and what is to be applied; what is answered, as lists of beats.
        self.writing, self.data, self.pending, self.answers = [], [], [], []
        self.reservations = {}

    def take(self):
        """What has come since the last time."""
        while not self.aw.empty():
            self.writing.append(Burst("aw", self.aw.recv_nowait(), self.lanes))
        while not self.w.empty():
            self.data.append(self.w.recv_nowait())
        while self.writing and len(self.data) >= self.writing[0].beats:
            burst = self.writing.pop(0)
            beats = [self.data.pop(0) for _ in range(burst.beats)]
            assert [int(beat.wlast) for beat in beats] == [0] * (burst.beats - 1) + [1], "WLAST in another beat"
            self.pending.append((burst, beats))
        while not self.ar.empty():
            self.pending.append((Burst("ar", self.ar.recv_nowait(), self.lanes), None))

    def step(self):
        """One of those that wait may be applied, one of the answers may go on."""
        self.take()
        busy = {burst.id for burst, _ in self.pending}
        assert len(busy) == len(self.pending), "an id is in flight twice"
        if self.rng.random() < 0.02:
            self.foreign()
        elif self.pending and self.rng.random() < 0.6:
            burst, beats = self.pending.pop(self.rng.randrange(len(self.pending)))
            answer = self.read(burst) if beats is None else self.write(burst, beats)
            self.answers.append((burst, answer))
        if self.answers and self.rng.random() < 0.8:
            number = self.rng.randrange(len(self.answers))
            burst, beats = self.answers[number]
            channel = self.b if hasattr(beats[0], "bid") else self.r
            channel.send_nowait(beats.pop(0))
            if not beats:
                self.answers.pop(number)

    def read(self, burst):
        beats, bad = [], set()
        if self.rng.random() < 0.03:
            bad.add(self.rng.randrange(burst.beats))
        exclusive = burst.lock and not self.no_monitor(burst.addr)
        for number in range(burst.beats):
            word = (burst.addr + (number << burst.size)) // self.lanes * self.lanes
            inside = [at in burst.at for at in range(word, word + self.lanes)]
            data = [self.image[word + i] if inside[i] else self.rng.randrange(256) for i in range(self.lanes)]
            resp = AxiResp.EXOKAY if exclusive else AxiResp.OKAY
            if number in bad:
                resp, data = self.rng.choice(FAILURES), self.rng.randbytes(self.lanes)
            beat = self.r._transaction_obj()
            beat.rid, beat.rdata, beat.rresp = burst.id, int.from_bytes(bytes(data), "little"), resp
            beat.rlast = int(number == burst.beats - 1)
            beats.append(beat)
        if exclusive and not bad:
            self.reservations[burst.id] = burst
        self.applied(burst, False, bool(bad), bool(burst.lock) and not exclusive)
        return beats

    def write(self, burst, beats):
        error = self.rng.random() < 0.03
        held = self.reservations.pop(burst.id, None)
        same = held is not None and (held.addr, held.size, held.beats, held.cache) == (
            burst.addr, burst.size, burst.beats, burst.cache)
        # A monitor may lose a reservation at any time.
        exclusive = burst.lock and same and self.rng.random() < 0.9
        made = not error and (exclusive or not burst.lock)
        for number, beat in enumerate(beats):
            word = (burst.addr + (number << burst.size)) // self.lanes * self.lanes
            data = int(beat.wdata).to_bytes(self.lanes, "little")
            for lane in range(self.lanes):
                if int(beat.wstrb) >> lane & 1:
                    assert word + lane in burst.at, "a strobe outside of the burst"
                    if made:
                        self.image[word + lane] = data[lane]
        if made:
            self.touched(burst.at)
        answer = self.b._transaction_obj()
        answer.bid = burst.id
        answer.bresp = self.rng.choice(FAILURES) if error else AxiResp.EXOKAY if exclusive else AxiResp.OKAY
        self.applied(burst, True, error, bool(burst.lock) and not exclusive)
        return [answer]

    def foreign(self):
        """Another master writes a dword where the compare-and-stores are."""
        at = self.rng.randrange(self.contested.start, self.contested.stop, 4)
        data = [self.rng.randrange(3), 0, 0, 0]
        self.image.update(zip(range(at, at + 4), data))
        self.written(at, data)
        self.touched(range(at, at + 4))

    def touched(self, written):
        """Whoever reserved some of these bytes has lost them."""
        for number, held in list(self.reservations.items()):
            if held.addr < written.stop and written.start < held.at.stop:
                del self.reservations[number]

    def idle(self):
        return not (self.writing or self.data or self.pending or self.answers)

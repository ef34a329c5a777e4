// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compresses and writes full blocks on a thread of its own.

use std::{
    collections::HashMap,
    io::{self, Seek, SeekFrom, Write},
    mem, panic,
    sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    thread::{self, JoinHandle},
};

use rustc_hash::FxBuildHasher;
use wavefst::{
    PackType,
    block::{ChainIndexEntry, encode_chain_index_dyn_alias2, encode_chain_payload},
    encoding::encode_varint,
};

use super::{
    blocks::{Block, Holds, Times},
    cannot,
    frame::Frame,
};
use crate::output::Output;

/// Shorter chains do not repay the table that compression sets up.
const COMPRESSED: usize = 64;
/// A chain that compression leaves longer than `FIFTHS` fifths is not compressed in the next `SKIPPED` blocks.
const FIFTHS: usize = 3;
const SKIPPED: u8 = 31;
/// `FST_BL_VCDATA_DYN_ALIAS2`
const TYPE: u8 = 8;
/// The offsets in the header of the first time (the last time follows), and of the number of blocks.
const TIMES: u64 = 9;
const COUNT: u64 = 65;

/// A file, and the thread that writes it once everything is declared. One block is written while the next one is
/// filled.
pub(super) struct Writer {
    output: Option<Output>,
    thread: Option<Thread>,
}

struct Thread {
    full: SyncSender<Block>,
    empty: Receiver<Block>,
    handle: JoinHandle<io::Result<Output>>,
}

impl Writer {
    pub(super) fn new(output: Output) -> Self {
        Writer { output: Some(output), thread: None }
    }

    /// Writes the declarations and starts the thread.
    pub(super) fn begin(&mut self, head: &[u8], variables: &[Holds]) -> io::Result<()> {
        let mut output = self.output.take().ok_or_else(over)?;
        // A pipe, for example, cannot be rewound and cannot hold an FST: fail now rather than at its end.
        output.rewind()?;
        output.write_all(head)?;
        let (full, blocks) = sync_channel(0);
        let (written, empty) = channel();
        let file = Written::new(output, variables);
        let handle = thread::Builder::new().spawn(move || file.take(&blocks, &written))?;
        self.thread = Some(Thread { full, empty, handle });
        Ok(())
    }

    /// Returns a block that was written and can be filled again.
    pub(super) fn spare(&self) -> Option<Block> {
        self.thread.as_ref()?.empty.try_recv().ok()
    }

    pub(super) fn write(&mut self, block: Block) -> io::Result<()> {
        match self.thread.as_ref().ok_or_else(over)?.full.send(block) {
            Ok(()) => Ok(()),
            // The thread has ended with an error.
            Err(_) => self.join().and_then(|_| Err(over())),
        }
    }

    /// Writes the rest and completes the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.join()?.finish()
    }

    fn join(&mut self) -> io::Result<Output> {
        let Thread { full, handle, .. } = self.thread.take().ok_or_else(over)?;
        drop(full);
        handle.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // When the writer is gone, so is an unfinished file.
        if let Some(Thread { full, handle, .. }) = self.thread.take() {
            drop(full);
            drop(handle.join());
        }
    }
}

fn over() -> io::Error {
    io::Error::other("a wave that is not being written")
}

/// The file, as the thread writes it.
struct Written {
    output: Output,
    frame: Frame,
    /// By handle: the number of blocks for which its chain is not compressed.
    skipped: Vec<u8>,
    /// The compressed chains of the last block; the allocation is reused.
    data: Vec<u8>,
    blocks: u64,
    first: u64,
    last: u64,
}

impl Written {
    fn new(output: Output, variables: &[Holds]) -> Self {
        let skipped = vec![0; variables.len()];
        Written { output, frame: Frame::new(variables), skipped, data: Vec::new(), blocks: 0, first: 0, last: 0 }
    }

    fn take(mut self, full: &Receiver<Block>, empty: &Sender<Block>) -> io::Result<Output> {
        while let Ok(mut block) = full.recv() {
            block.close();
            self.write(&block)?;
            block.clear();
            // No block is needed after the last one.
            let _ = empty.send(block);
        }
        let Written { mut output, blocks, first, last, .. } = self;
        output.seek(SeekFrom::Start(TIMES))?;
        output.write_all(&first.to_be_bytes())?;
        output.write_all(&last.to_be_bytes())?;
        output.seek(SeekFrom::Start(COUNT))?;
        output.write_all(&blocks.to_be_bytes())?;
        Ok(output)
    }

    fn write(&mut self, Block { chains, times, .. }: &Block) -> io::Result<()> {
        let size: usize = chains.iter().map(|chain| chain.bytes.len()).sum();
        let mut data = mem::take(&mut self.data);
        data.clear();
        data.reserve(size);
        let mut index = Vec::with_capacity(chains.len());
        // Many variables are one signal under several names.
        let mut known: HashMap<_, u32, _> = HashMap::with_capacity_and_hasher(chains.len(), FxBuildHasher);
        for ((chain, handle), skipped) in chains.iter().zip(1u32..).zip(&mut self.skipped) {
            let bytes = &chain.bytes[..];
            if bytes.is_empty() {
                index.push(ChainIndexEntry::Empty);
                continue;
            }
            let target = *known.entry(sketch(bytes)).or_insert(handle);
            if target != handle && chains[target as usize - 1].bytes == bytes {
                index.push(ChainIndexEntry::Alias { target });
                continue;
            }
            index.push(ChainIndexEntry::Data { offset: data.len() as u64 });
            if bytes.len() < COMPRESSED || *skipped > 0 {
                *skipped = skipped.saturating_sub(1);
                encode_varint(0, &mut data);
                data.extend_from_slice(bytes);
            } else {
                let (length, packed) = encode_chain_payload(PackType::Lz4, bytes, None).map_err(cannot)?;
                if 5 * packed.len() > FIFTHS * bytes.len() {
                    *skipped = SKIPPED;
                }
                encode_varint(length, &mut data);
                data.extend_from_slice(&packed);
            }
        }
        let index = encode_chain_index_dyn_alias2(&index).map_err(cannot)?;
        let Times { steps, count, first, last } = times;

        let mut head = Vec::new();
        [*first, *last, size as u64].iter().for_each(|number| head.extend(number.to_be_bytes()));
        // Frame and steps are not compressed, which two equal lengths indicate.
        let frame = self.frame.bytes();
        encode_varint(frame.len() as u64, &mut head);
        encode_varint(frame.len() as u64, &mut head);
        encode_varint(chains.len() as u64, &mut head);
        let mut middle = Vec::new();
        encode_varint(chains.len() as u64, &mut middle);
        middle.push(PackType::Lz4.marker());
        let mut tail = steps.clone();
        [steps.len() as u64, steps.len() as u64, *count].iter().for_each(|number| tail.extend(number.to_be_bytes()));
        let index_length = (index.len() as u64).to_be_bytes();

        let parts = [&head, frame, &middle, &data, &index, &index_length[..], &tail];
        let length = mem::size_of::<u64>() + parts.iter().map(|part| part.len()).sum::<usize>();
        self.output.write_all(&[TYPE])?;
        self.output.write_all(&(length as u64).to_be_bytes())?;
        parts.iter().try_for_each(|part| self.output.write_all(part))?;

        self.data = data;
        self.frame.follow(chains);
        if self.blocks == 0 {
            self.first = *first;
        }
        (self.last, self.blocks) = (*last, self.blocks + 1);
        Ok(())
    }
}

/// A key that is the same for equal chains, and mostly differs for others.
fn sketch(bytes: &[u8]) -> (usize, [&[u8]; 3]) {
    let part = bytes.len().min(16);
    let rest = bytes.len() - part;
    (bytes.len(), [0, rest / 2, rest].map(|from| &bytes[from..][..part]))
}

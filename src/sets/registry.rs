// SPDX-License-Identifier: MIT OR Apache-2.0
//! THE list of instruction sets, the list of address rules that some of them add, and what is generated from both.

/// Calls a macro with a line for each set: its name, its folder, and its description.
macro_rules! sets {
    ($callback:ident $($rest:tt)*) => {
        $callback! {
            [
                (Spa5 spa5 "Shader processor architecture 5.0 (Maxwell, sm_50): LD and ST.")
                (R700 r700 "ATI R700: memory writes and reads.")
                (Ptx ptx "PTX: `st`, from text alone.")
                (Sm5 sm5 "Direct3D shader model 5: atomic_cmp_store.")
            ]
            $($rest)*
        }
    };
}

/// Calls a macro with a line for each address rule: its name in [`Rule`](crate::op::Rule), the folder that implements
/// it, and its description.
macro_rules! rules {
    ($callback:ident $($rest:tt)*) => {
        $callback! {
            [
                (Spa5 spa5 "A predicate of each lane tells shared memory from the rest (SPA5-SPACE).")
                (R700 r700 "A burst of elements in a buffer (R700-FIRST).")
                (Ptx ptx "A space written out, or one that the windows tell; vectors, semantics, parameters (PTX-SPACE).")
                (Sm5 sm5 "A compare-and-store in a bound resource (SM5-CAS).")
            ]
            $($rest)*
        }
    };
}

/// The lines by which a program names its set, for messages.
macro_rules! lines {
    ($one:ident $other:ident) => { concat!("`isa ", stringify!($one), "` or `isa ", stringify!($other), "`") };
    ($one:ident $($others:ident)*) => { concat!("`isa ", stringify!($one), "`, ", lines!($($others)*)) };
}

/// Declares the modules, the enum of the sets, and the enum of their instructions.
macro_rules! declare {
    ([$(($set:ident $folder:ident $what:literal))*]) => {
        $(pub mod $folder;)*

        /// The instruction sets that this crate speaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Isa { $(#[doc = $what] $set),* }

        /// An instruction, legal or not, as programs, cases and explanations carry it.
        #[expect(clippy::large_enum_variant, reason = "it is copied, and an operation's lanes are as large")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Inst { $(#[doc = $what] $set($folder::Inst)),* }

        impl Isa {
            /// Every instruction set.
            pub const ALL: &'static [Isa] = &[$(Isa::$set),*];

            /// How a program begins.
            pub(crate) const FIRST: &'static str = concat!(lines!($($folder)*), " first");
            /// How its first line is written.
            pub(crate) const USAGE: &'static str = concat!("write ", lines!($($folder)*));

            /// The name in `--isa` and in programs.
            pub fn name(self) -> &'static str {
                match self { $(Isa::$set => stringify!($folder)),* }
            }
        }

        /// What the directives of each set leave behind for later lines of a program.
        #[derive(Default)]
        #[allow(dead_code, reason = "most leave nothing")]
        pub(crate) struct States { $(pub $folder: <$folder::Set as Lines>::State),* }

        /// What the steps of a program leave behind for the notes of later steps.
        #[derive(Default)]
        #[allow(dead_code, reason = "most leave nothing")]
        pub(crate) struct Pasts { $($folder: <$folder::Set as FrontEnd>::Past),* }

        impl Isa {
            /// Reads a line of a program that holds an instruction, as a word instead of text if `word`. See
            /// [`Lines::instruction`].
            pub(crate) fn instruction(
                self,
                reader: &Reader,
                line: &str,
                word: bool,
                span: Range<usize>,
            ) -> Result<(Inst, Vec<String>), Trouble> {
                match self {
                    $(Isa::$set => $folder::Set::instruction(reader, line, word, span)
                        .map(|(inst, annotations)| (Inst::$set(inst), annotations))),*
                }
            }
        }

        impl Inst {
            /// The instruction set.
            pub fn isa(&self) -> Isa {
                match self { $(Inst::$set(_) => Isa::$set),* }
            }

            /// The instruction's words in hexadecimal, as `asm` prints them; for PTX, which has none, its text.
            pub fn code(&self) -> String {
                match self { $(Inst::$set(inst) => $folder::Set::code(inst)),* }
            }

            /// Decodes what [`Inst::code`] returns.
            pub fn from_code(isa: Isa, code: &str) -> Result<Self, ParseError> {
                match isa { $(Isa::$set => $folder::Set::from_code(code).map(Inst::$set)),* }
            }

            /// What the instruction did, in sentences and tables, without the instruction itself and the clauses.
            pub(crate) fn explained(&self, explanation: &Explanation, step: &Step, program: &Program) -> String {
                match self { $(Inst::$set(inst) => $folder::explain::text(explanation, step, inst, program)),* }
            }

            /// Parses a line into the instruction and its annotations.
            pub(crate) fn assemble(isa: Isa, line: &str) -> Result<(Self, Vec<String>), ParseError> {
                match isa {
                    $(Isa::$set => $folder::Set::assemble(line)
                        .map(|(inst, annotations)| (Inst::$set(inst), annotations))),*
                }
            }

            /// The fields of the instruction's words by their names in the manual, if it names them.
            pub(crate) fn fields(&self) -> Vec<(&'static str, u32)> {
                match self { $(Inst::$set(inst) => $folder::Set::fields(inst)),* }
            }

            /// The text that names every field, if the set has one.
            pub(crate) fn long(&self) -> Option<String> {
                match self { $(Inst::$set(inst) => $folder::Set::long(inst)),* }
            }

            /// Both forms of the instruction's address equation, if it has two and they differ.
            pub(crate) fn both_forms(&self) -> Option<Forms> {
                match self { $(Inst::$set(inst) => $folder::Set::both_forms(inst)),* }
            }

            /// Hints and warnings about an executed step, for the reader of the program.
            pub(crate) fn notes(&self, pasts: &mut Pasts, told: &Told<'_>, explanation: &Explanation) -> Vec<Note> {
                match self {
                    $(Inst::$set(inst) => $folder::Set::notes(inst, &mut pasts.$folder, told, explanation)),*
                }
            }

            /// Clauses that only this set asks for, each with whether it mattered to the instruction.
            pub(crate) fn clauses(&self, explanation: &Explanation, step: &Step) -> Vec<(bool, Clause)> {
                match self { $(Inst::$set(inst) => $folder::explain::clauses(inst, explanation, step)),* }
            }

            /// Lowers the instruction to its operation and the registers that feed it.
            pub fn lower(&self, context: Context) -> Result<Lowered, Refused> {
                match self { $(Inst::$set(inst) => $folder::Set::lower(inst, &context)),* }
            }
        }

        /// Formats the instruction as the vendor's disassembler, the vendor's driver, or vkd3d prints it; for PTX, as
        /// the normalised statement.
        impl fmt::Display for Inst {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Inst::$set(inst) => inst.fmt(f)),* }
            }
        }
    };
}

/// Generates methods of an enum with a variant for each line. A method returns a constant of a folder's type `$of`, or
/// calls its function of the same name. The constants come first, as `name: CONSTANT -> type;`, then the functions.
macro_rules! dispatch {
    ([$(($set:ident $folder:ident $what:literal))*] $enum:ident $of:ident $constants:tt $functions:tt) => {
        dispatch! { @constants [$($set $folder)*] $enum $of $constants }
        dispatch! { @functions [$($set $folder)*] $enum $of $functions }
    };
    (@constants $folders:tt $enum:ident $of:ident { $($vis:vis $name:ident: $constant:ident -> $type:ty;)* }) => {
        impl $enum { $(dispatch! { @constant $folders $enum $of ($vis) $name $constant $type })* }
    };
    (@constant [$($set:ident $folder:ident)*] $enum:ident $of:ident ($vis:vis) $name:ident $constant:ident $type:ty) => {
        #[inline]
        $vis fn $name(self) -> $type {
            match self { $($enum::$set => crate::sets::$folder::$of::$constant),* }
        }
    };
    (@functions $folders:tt $enum:ident $of:ident {
        $($(#[$doc:meta])* $vis:vis fn $name:ident($($input:ident: $type:ty),*) -> $output:ty;)*
    }) => {
        impl $enum { $(dispatch! { @function $folders $enum $of [$(#[$doc])* $vis] $name ($($input: $type),*) $output })* }
    };
    (@function [$($set:ident $folder:ident)*] $enum:ident $of:ident [$(#[$doc:meta])* $vis:vis] $name:ident
        ($($input:ident: $type:ty),*) $output:ty) => {
        $(#[$doc])*
        #[inline]
        #[allow(clippy::too_many_arguments, reason = "as many as the folder's function has")]
        $vis fn $name(self $(, $input: $type)*) -> $output {
            dispatch! { @arms self [$($set $folder)*] $enum $of $name ($($input),*) }
        }
    };
    (@arms $self:ident [$($set:ident $folder:ident)*] $enum:ident $of:ident $name:ident $inputs:tt) => {
        match $self { $($enum::$set => crate::sets::$folder::$of::$name $inputs),* }
    };
}

pub(crate) use {declare, dispatch, lines, rules, sets};

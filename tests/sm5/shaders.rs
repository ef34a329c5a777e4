// SPDX-License-Identifier: MIT OR Apache-2.0
//! Token streams: declarations give kinds and strides, and what is wrong is told by its token.

use gpu_lsu::{
    clause::Clause,
    op::{Dimension, Resource},
    sets::sm5::{Declaration, Flaw, Shader},
};

const VERSION: u32 = 0x0005_0050;

/// atomic_cmp_store to this slot, r0.x, r1.x, r2.x.
fn atomic(file: u32, number: u32) -> Vec<u32> {
    vec![0x0900_00ac, 0x0010_0000 | file << 12, number, 0x0010_0006, 0, 0x0010_0006, 1, 0x0010_0006, 2]
}

fn read(version: u32, instructions: &[&[u32]], everywhere: bool) -> Shader {
    let mut tokens = [&[version, 0], &instructions.concat()[..]].concat();
    tokens[1] = tokens.len() as u32;
    Shader::read(&tokens, everywhere).unwrap()
}

fn flaw(shader: &Shader) -> &Flaw {
    shader.found.last().unwrap().as_ref().unwrap_err()
}

#[test]
fn declarations() {
    for (dwords, text, kind, stride, dimension) in [
        (
            &[0x0400_089c, 0x0011_e000, 5, 0x3333][..],
            "dcl_uav_typed_buffer (int,int,int,int) u5",
            Resource::Typed,
            None,
            Some(Dimension::Buffer),
        ),
        (
            &[0x0400_109c, 0x0011_e000, 0, 0x4444],
            "dcl_uav_typed_texture1d (uint,uint,uint,uint) u0",
            Resource::Typed,
            None,
            Some(Dimension::Texture1d),
        ),
        (
            &[0x0400_389c, 0x0011_e000, 0, 0x4444],
            "dcl_uav_typed_texture1darray (uint,uint,uint,uint) u0",
            Resource::Typed,
            None,
            Some(Dimension::Texture1dArray),
        ),
        (
            &[0x0400_189c, 0x0011_e000, 0, 0x4444],
            "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0",
            Resource::Typed,
            None,
            Some(Dimension::Texture2d),
        ),
        (
            &[0x0400_409c, 0x0011_e000, 0, 0x4444],
            "dcl_uav_typed_texture2darray (uint,uint,uint,uint) u0",
            Resource::Typed,
            None,
            Some(Dimension::Texture2dArray),
        ),
        (
            &[0x0400_289c, 0x0011_e000, 0, 0x4444],
            "dcl_uav_typed_texture3d (uint,uint,uint,uint) u0",
            Resource::Typed,
            None,
            Some(Dimension::Texture3d),
        ),
        (&[0x0300_009d, 0x0011_e000, 7], "dcl_uav_raw u7", Resource::Raw, None, None),
        (&[0x0301_009d, 0x0011_e000, 7], "dcl_uav_raw_glc u7", Resource::Raw, None, None),
        (&[0x0400_009e, 0x0011_e000, 7, 28], "dcl_uav_structured u7, 28", Resource::Structured, Some(28), None),
        (&[0x0480_009e, 0x0011_e000, 7, 28], "dcl_uav_structured_opc u7, 28", Resource::Structured, Some(28), None),
        (&[0x0400_009f, 0x0011_f000, 0, 4], "dcl_tgsm_raw g0, 4", Resource::Raw, None, None),
        (
            &[0x0500_00a0, 0x0011_f000, 1, 20, 16],
            "dcl_tgsm_structured g1, 20, 16",
            Resource::Structured,
            Some(20),
            None,
        ),
        // Shader model 5.1: a range of registers, and a space.
        (&[0x0600_009d, 0x0031_e000, 2, 4, 9, 0], "dcl_uav_raw u2", Resource::Raw, None, None),
    ] {
        let declaration = Declaration::decode(dwords).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(declaration.to_string(), text);
        assert_eq!(
            (declaration.kind(), declaration.stride(), declaration.dimension()),
            (kind, stride, dimension),
            "{text}"
        );
        for length in 0..dwords.len() {
            assert!(Declaration::decode(&dwords[..length]).is_err(), "{text}");
        }
    }
    assert!(Declaration::decode(&[0x0300_009d, 0x0011_f000, 7]).is_err(), "a u# of type g#");
    assert!(Declaration::decode(&[0x0300_00a1, 0x0010_7000, 7]).is_err(), "t#");
}

#[test]
fn an_atomic_has_the_resource_that_is_declared() {
    let structured = [0x0400_009e, 0x0011_e000, 1, 28];
    let raw = [0x0400_009f, 0x0011_f000, 1, 64];
    let custom = [0x35, 4, 0x0900_00ac, 0xffff_ffff]; // its data looks like an instruction
    let shader = read(VERSION, &[&structured, &raw, &custom, &atomic(30, 1), &atomic(31, 1)], false);
    let found: Vec<_> = shader.found.iter().map(|found| found.as_ref().unwrap()).collect();
    assert_eq!((shader.version.to_string().as_str(), found.len()), ("cs_5_0", 2));
    assert_eq!((found[0].at, found[0].declaration.unwrap().stride()), (14, Some(28)));
    assert_eq!((found[1].at, found[1].declaration.unwrap().to_string().as_str()), (23, "dcl_tgsm_raw g1, 64"));
    // u[r1.x + 3]: only lanes know which.
    let relative = [0x0b00_00ac, 0x00d1_e000, 3, 0x0010_000a, 1, 0x0010_0006, 0, 0x0010_0006, 1, 0x0000_4001, 2];
    let shader = read(VERSION, &[&relative], false);
    assert_eq!(shader.found[0].as_ref().unwrap().declaration, None);
}

/// SM5-STAGE.
#[test]
fn stages_and_models() {
    let raw = [0x0300_009d, 0x0011_e000, 0];
    for (version, everywhere, has) in [
        (0x0005_0050, false, true),
        (0x0000_0050, false, true),
        (0x0001_0050, false, false),
        (0x0001_0050, true, true),
        (0x0004_0051, false, true),
        (0x0005_0040, true, false),
        (0x0005_0041, false, false),
        (0x0000_0060, true, false),
    ] {
        let shader = read(version, &[&raw, &atomic(30, 0)], everywhere);
        match has {
            true => assert!(shader.found[0].is_ok(), "{version:#x}"),
            false => assert_eq!(flaw(&shader).clause, Some(Clause::Sm5Stage), "{version:#x}"),
        }
        assert!(
            read(version, &[&raw], everywhere).found.is_empty(),
            "a shader without the instruction is nobody's business"
        );
    }
}

/// SM5-KIND.
#[test]
fn kinds() {
    let float = [0x0400_089c, 0x0011_e000, 0, 0x5555];
    let cube = [0x0400_309c, 0x0011_e000, 0, 0x4444];
    for (instructions, message) in [
        (vec![atomic(30, 0)], "u0 is not declared"),
        (vec![float.to_vec(), atomic(30, 0)], "the elements of u0 are not 32-bit integers"),
        (vec![cube.to_vec(), atomic(30, 0)], "the dimension of u0 is none that a u# has"),
        (vec![atomic(0, 0)], "the destination, r, is neither u# nor g#"),
    ] {
        let instructions: Vec<&[u32]> = instructions.iter().map(Vec::as_slice).collect();
        let shader = read(VERSION, &instructions, false);
        assert!(flaw(&shader).message.starts_with(message), "{}", flaw(&shader));
        assert_eq!(flaw(&shader).clause, Some(Clause::Sm5Kind));
    }
}

/// What uses a declaration that is refused is not refused for want of one.
#[test]
fn a_refused_declaration_is_told_once() {
    const PIXEL: u32 = 0x0000_0050;
    let structured = [0x0400_009e, 0x0011_e000, 0, 2052];
    let shared = [0x0400_009f, 0x0011_f000, 0, 16];
    for (version, declaration, file) in [(VERSION, structured, 30), (PIXEL, shared, 31)] {
        let shader = read(version, &[&declaration, &atomic(file, 0), &atomic(file, 1)], false);
        let told: Vec<_> = shader.found.iter().map(|found| found.as_ref().err().and_then(|flaw| flaw.clause)).collect();
        assert_eq!(told, [Some(Clause::Sm5Stage), None, Some(Clause::Sm5Kind)], "{shader:?}");
    }
    // It takes nothing of the memory that threads share either.
    let (large, small) = ([0x0400_009f, 0x0011_f000, 0, 32772], [0x0400_009f, 0x0011_f000, 1, 4]);
    assert_eq!(read(VERSION, &[&large, &small], false).found.len(), 1);
}

#[test]
fn lengths() {
    let raw: &[u32] = &[0x0300_009d, 0x0011_e000, 0];
    for (instructions, at, message) in [
        (&[raw, &[0x0000_00ac, 1, 2]][..], 5, "the length of the instruction, 0, is not one of 1 to 3"),
        (&[&[0x7f00_0001, 1]], 2, "the length of the instruction, 127, is not one of 1 to 2"),
        (&[&[0x35, 1]], 2, "the length of the instruction, 1, is not one of 2 to 2"),
        (&[&[0x35, u32::MAX, 0]], 2, "the length of the instruction, 4294967295, is not one of 2 to 3"),
        (&[raw, raw], 5, "u0 is declared a second time"),
        (&[raw, &[0x0300_00ac, 0x0011_e000, 0]], 8, "the instruction ends before its operands do"),
    ] {
        let shader = read(VERSION, instructions, false);
        assert_eq!((flaw(&shader).at, flaw(&shader).message.as_str()), (at, message));
    }
    // One that is wrong within its length does not hide those behind it.
    let shader = read(VERSION, &[raw, &[0x0300_00ac, 0x0011_e000, 0], &atomic(30, 0)], false);
    assert!(shader.found[0].is_err() && shader.found[1].is_ok());
    for (tokens, at) in [(&[][..], 0), (&[VERSION], 0), (&[VERSION, 3], 1), (&[VERSION, 1], 1), (&[0x0006_0050, 2], 0)]
    {
        assert_eq!(Shader::read(tokens, false).unwrap_err().at, at, "{tokens:x?}");
    }
}

/// SM5-STAGE: only threads of compute shaders share memory, and declarations have limits.
#[test]
fn limits_of_declarations() {
    const PIXEL: u32 = 0x0000_0050;
    let tgsm_raw = |number: u32, bytes: u32| vec![0x0400_009f, 0x0011_f000, number, bytes];
    let tgsm = |number: u32, stride: u32, count: u32| vec![0x0500_00a0, 0x0011_f000, number, stride, count];
    let uav = |stride: u32| vec![0x0400_009e, 0x0011_e000, 0, stride];
    let raw = || vec![0x0300_009d, 0x0011_e000, 0];
    let says = |version: u32, declarations: &[Vec<u32>]| {
        let parts: Vec<&[u32]> = declarations.iter().map(Vec::as_slice).collect();
        let shader = read(version, &parts, true);
        shader.found.last().map(|found| {
            let flaw = found.as_ref().unwrap_err();
            assert_eq!(flaw.clause, Some(Clause::Sm5Stage));
            flaw.to_string()
        })
    };
    let found = |version, declarations: &[Vec<u32>], what: &str| {
        let said = says(version, declarations).unwrap_or_else(|| panic!("nothing of `{what}`"));
        assert!(said.contains(what), "{said}");
    };
    assert_eq!(says(PIXEL, &[raw(), uav(4)][..1]), None);
    assert_eq!(says(VERSION, &[tgsm_raw(0, 32768)]), None);
    assert_eq!(says(VERSION, &[tgsm(0, 2048, 8), tgsm_raw(1, 16384)]), None);
    assert_eq!(says(VERSION, &[uav(2048)]), None);
    found(PIXEL, &[tgsm_raw(0, 4)], "ps_5_0 has no g0");
    found(VERSION, &[uav(2052)], "the stride of u0, 2052 bytes");
    found(VERSION, &[uav(6)], "the stride of u0, 6 bytes");
    found(VERSION, &[uav(0)], "the stride of u0, 0 bytes");
    found(VERSION, &[tgsm(0, 2048, 8), tgsm_raw(1, 16388)], "with g1 all g# have 32772 bytes together");
    found(VERSION, &[tgsm(0, 2048, u32::MAX)], "with g0 all g# have");
}

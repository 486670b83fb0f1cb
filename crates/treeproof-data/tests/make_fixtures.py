"""Writes the data files of tests/fixtures.rs: the same values in every format, read back by pandas and numpy.

Run with numpy, pandas and pyarrow installed: python crates/treeproof-data/tests/make_fixtures.py
`expected.json` holds, for each file, every column as the libraries read it: the bits of its f64 numbers
in hexadecimal, or its texts; null is missing. A file name instead says that two files read the same.
"""

import gzip
import json
import pathlib
import struct

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

OUT = pathlib.Path(__file__).parent / "fixtures"
EXPECTED = {}


def bits(number):
    return None if np.isnan(number) else struct.pack(">d", float(number)).hex()


def expect(name, columns, labels=None):
    """`columns`: pairs of a name (or None) and a sequence."""

    def encode(values):
        values = list(values)
        if any(isinstance(value, str) for value in values):
            return {"texts": [value if isinstance(value, str) else None for value in values]}
        return {"numbers": [bits(np.nan if value is None or value is pd.NA else np.float64(value)) for value in values]}

    EXPECTED[name] = {
        "names": [name for name, _ in columns],
        "columns": [encode(values) for _, values in columns],
        "labels": None if labels is None else [bits(label) for label in labels],
    }


def frame(rows=120):
    rng = np.random.default_rng(7)
    wide = rng.standard_normal(rows) * 10.0 ** rng.integers(-300, 300, rows)
    special = [0.1, -0.0, np.inf, -np.inf, 5e-324, 1.7976931348623157e308, 2.2250738585072011e-308, 1e-35]
    wide[: len(special)] = special
    holes = rng.random(rows) < 0.2
    return pd.DataFrame({
        "wide": wide,
        "single": rng.standard_normal(rows).astype(np.float32),
        "count": rng.integers(-(2**40), 2**40, rows),
        "holes": np.where(holes, np.nan, rng.standard_normal(rows)),
        "truth": rng.random(rows) < 0.5,
        "colour": rng.choice(["red", "blue", "dark, \"red\"", "grün", "?"], rows),
        "gappy": np.where(holes, None, rng.choice(["a", "b"], rows)),
        "target": rng.integers(0, 2, rows),
    })


def write_csv(data):
    for name, options in [("comma.csv", {}), ("semicolon.csv", {"sep": ";", "lineterminator": "\r\n"}), ("tab.tsv", {"sep": "\t"})]:
        data.to_csv(OUT / name, index=False, **options)
        read = pd.read_csv(OUT / name, float_precision="round_trip", sep=options.get("sep", ","))
        expect(name, [(column, read[column]) for column in read])
    text = (OUT / "comma.csv").read_bytes()
    (OUT / "bom.csv.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + text, mtime=0))
    EXPECTED["bom.csv.gz"] = "comma.csv"


def write_numpy():
    rng = np.random.default_rng(8)
    kinds = ["<f4", ">f4", "<f8", ">f8", "|b1", "|i1", "<i2", ">i4", "<i8", ">i8", "|u1", ">u2", "<u4", "<u8", ">u8"]
    for kind in kinds:
        dtype = np.dtype(kind)
        raw = rng.integers(0, 256, 7 * 5 * dtype.itemsize, dtype=np.uint8)
        array = (raw % 2).astype(dtype) if kind == "|b1" else raw.view(dtype)
        array = array.reshape(7, 5)
        array = np.asfortranarray(array) if kind[-1] == "8" else array
        name = f"{'big' if kind[0] == '>' else 'little'}_{kind[1:]}.npy"
        np.save(OUT / name, array)
        expect(name, [(None, np.load(OUT / name)[:, column].astype(np.float64)) for column in range(5)])
    np.save(OUT / "vector.npy", np.arange(4, dtype=np.float32))
    expect("vector.npy", [(None, np.arange(4.0))])
    matrix = rng.standard_normal((6, 3))
    labels = np.arange(6)
    for name, save in [("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)]:
        save(OUT / name, y=labels, X=matrix, other=np.zeros((2, 2)))
        expect(name, [(None, matrix[:, column]) for column in range(3)], labels)
    np.savez(OUT / "ambiguous.npz", a=matrix, b=matrix)
    np.save(OUT / "objects.npy", np.array([["a", 1]], dtype=object), allow_pickle=True)


def write_parquet(data):
    data = data.copy()
    data["small"] = (np.arange(len(data)) % 200).astype(np.uint8)
    data["huge"] = np.arange(len(data), dtype=np.uint64) + np.uint64(2**63)
    data["nullable"] = pd.array([None if row % 3 == 0 else row for row in range(len(data))], dtype="Int64")
    data["category"] = data["colour"].astype("category")
    for codec in ["none", "snappy", "zstd", "lz4", "gzip"]:
        for version in ["1.0", "2.0"]:
            name = f"{codec}_{version[0]}.parquet"
            table = pa.Table.from_pandas(data, preserve_index=False)
            pq.write_table(table, OUT / name, compression=codec, data_page_version=version, row_group_size=50, data_page_size=512)
            read = pd.read_parquet(OUT / name)
            expect(name, [(column, read[column]) for column in read])
            # All of them hold the same values, which are written down once.
            assert EXPECTED[name] == EXPECTED["none_1.parquet"]
            if name != "none_1.parquet":
                EXPECTED[name] = "none_1.parquet"
    encodings = {"count": "DELTA_BINARY_PACKED", "single": "BYTE_STREAM_SPLIT", "holes": "BYTE_STREAM_SPLIT", "truth": "RLE"}
    some = data[list(encodings)]
    pq.write_table(pa.Table.from_pandas(some), OUT / "encoded.parquet", use_dictionary=False, column_encoding=encodings)
    read = pd.read_parquet(OUT / "encoded.parquet")
    expect("encoded.parquet", [(column, read[column]) for column in read])
    texts = pa.Table.from_pandas(data[["colour"]])
    pq.write_table(texts, OUT / "delta.parquet", use_dictionary=False, column_encoding={"colour": "DELTA_BYTE_ARRAY"})
    pq.write_table(texts, OUT / "brotli.parquet", compression="brotli")
    other = pa.table({
        "ok": [1.5, None],
        "list": [[1], [2, 3]],
        "when": pa.array([1, 2], pa.timestamp("us")),
        "price": pa.array([1, 2], pa.decimal128(9, 2)),
        "half": pa.array(np.array([1, 2], np.float16)),
        "nothing": pa.nulls(2),
    })
    pq.write_table(other, OUT / "refused.parquet")


def write_libsvm():
    rng = np.random.default_rng(9)
    lines = []
    for row in range(50):
        columns = np.flatnonzero(rng.random(12) < 0.3)
        entries = [f"{column}:{rng.standard_normal()!r}" for column in columns]
        lines.append(" ".join([str(row % 3), *entries]).replace("np.float64(", "").replace(")", ""))
    (OUT / "sparse.libsvm").write_text("\n".join(lines) + "\n")


OUT.mkdir(exist_ok=True)
people = frame()
write_csv(people)
write_numpy()
write_parquet(people)
write_libsvm()
(OUT / "expected.json").write_text(json.dumps(EXPECTED, ensure_ascii=False, separators=(",", ":")) + "\n")

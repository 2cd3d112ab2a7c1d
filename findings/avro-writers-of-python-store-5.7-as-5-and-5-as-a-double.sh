#!/usr/bin/env bash
# Question: Do three Avro writers of Python store the same bytes for a value that does not fit its type exactly?
# Guess: All raise, since a schema is there for that; and a whole number in [long, double] is a long.
# Behaviour: fastavro cuts 5.7 to 5 in a long, writes 2^31 into an int and infinity for 1e39 in a float. avro raises,
# but writes the 5 of ["null", "long", "double"] as a double. Of ["float", "double"] cavro takes the float, the others
# the double. True is 1 in a long for two of them.
# Versions: fastavro 1.13.1, avro 1.12.2, cavro 1.0.0.

. "$(dirname "$0")/finding.bash"
python_packages fastavro==1.13.1 avro==1.12.2 cavro==1.0.0

seen <<'END'
5.7 as "long": fastavro 5, avro error, cavro error
True as "long": fastavro 1, avro 1, cavro error
2147483648 as "int": fastavro 2147483648, avro error, cavro error
1e+39 as "float": fastavro inf, avro error, cavro error
5 as ["null", "long", "double"]: fastavro 5, avro 5.0, cavro 5
0.1 as ["float", "double"]: fastavro 0.1, avro 0.1, cavro 0.10000000149011612
END
compare python3 - <<'END'
import io, json
import avro.io, avro.schema, cavro, fastavro

def with_fastavro(schema, value):
    buffer = io.BytesIO()
    fastavro.schemaless_writer(buffer, fastavro.parse_schema(schema), value)
    return fastavro.schemaless_reader(io.BytesIO(buffer.getvalue()), schema)

def with_avro(schema, value):
    parsed, buffer = avro.schema.parse(json.dumps(schema)), io.BytesIO()
    avro.io.DatumWriter(parsed).write(value, avro.io.BinaryEncoder(buffer))
    return avro.io.DatumReader(parsed).read(avro.io.BinaryDecoder(io.BytesIO(buffer.getvalue())))

def with_cavro(schema, value):
    parsed = cavro.Schema(json.dumps(schema))
    return parsed.binary_decode(parsed.binary_encode(value))

def shown(write, schema, value):
    try:
        return repr(write(schema, value))
    except Exception:
        return "error"

for value, schema in (
    (5.7, "long"), (True, "long"), (2**31, "int"), (1e39, "float"),
    (5, ["null", "long", "double"]), (0.1, ["float", "double"]),
):
    answers = (f"{name} {shown(write, schema, value)}" for name, write in
               (("fastavro", with_fastavro), ("avro", with_avro), ("cavro", with_cavro)))
    print(f"{value} as {json.dumps(schema)}:", ", ".join(answers))
END

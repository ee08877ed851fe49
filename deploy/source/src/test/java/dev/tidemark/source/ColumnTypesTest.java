package dev.tidemark.source;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Each type of PostgreSQL as JSON, in a snapshot and in the stream. */
@ResourceLock("postgresql")
class ColumnTypesTest extends TypesTestCase {
    private static final String COLUMNS = """
            id int primary key, b bool, s smallint, i int, l bigint, r real, d double precision, n numeric,
            n2 numeric(10,2), m money, c char(5), v varchar(20), t text, ba bytea, dt date, tm time, tmz timetz,
            ts timestamp, ts3 timestamp(3), tsz timestamptz, iv interval, u uuid, j json, jb jsonb, x xml,
            inet_ inet, cidr_ cidr, mac macaddr, bit1 bit(1), bit8 bit(8), vb varbit, mo mood, po posint,
            pr pair, ci citext, lt ltree, hs hstore, ir int4range, nr numrange, tr tstzrange, pt point, ln line,
            bx box, poly polygon, tsv tsvector, oid_ oid, ia int[], ta text[], na numeric[], da date[],
            tza timestamptz[], ba_ bytea[], ua uuid[], ja jsonb[], ma mood[], i2 int[][], baa bool[], ra real[],
            tsa timestamp[], tma time[], iva interval[], la bigint[], ira int4range[], ineta inet[],
            mra int4multirange, nm name, lsn pg_lsn, vca varchar[], pa posint[], mona money[], cia citext[]
            """;

    private static final List<String> INSERTS = List.of("""
            insert into types values ($id, true, 1, 2, 9007199254740993, 1.1, 1.1,
            12345678901234567890.123456789, 12.50, 12.34, 'ab', 'vv', 'tt', '\\x00ff', '2024-02-29',
            '12:34:56.123456', '12:34:56+02', '2024-02-29 12:34:56.123456','2024-02-29 12:34:56.120',
            '2024-02-29 12:34:56.123456+02', '1 year 2 mons 3 days 04:05:06.7',
            'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": 1.10}', '{"a": 1.10}', '<a/>', '10.0.0.1',
            '10.0.0.0/8', '08:00:2b:01:02:03', b'1', b'10100000', b'101', 'happy', 5, '(1,x)', 'Ci', 'a.b',
            'k=>v,n=>NULL', '[1,5)', '[1.5,2)', '[2024-01-01 00:00+00,)', '(1,2)', '{1,2,3}', '(1,1),(0,0)',
            '((0,0),(1,1))', 'a b', 7, '{1,NULL,3}', '{a,NULL}', '{1.5,2}', '{2024-01-01}',
            '{2024-01-01 00:00+00}', '{"\\\\x01"}', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}',
            array['{"a":1}'::jsonb], '{sad}', '{{1,2},{3,4}}', '{t,f}', '{1.1}', '{2024-01-01 01:02:03}',
            '{01:02:03}', '{1 day}', '{1,2}', '{"[1,2)"}', '{10.0.0.1}', '{[1,3)}', 'nm', '0/16B3748', '{vc}',
            '{5}', '{1.5}', '{Ci}')
            """, """
            insert into types(id, r, d, n, dt, ts, tsz, na, ra, ts3, tm) values ($id, 'NaN', '-Infinity', 'NaN',
            'infinity', '-infinity', 'infinity', '{NaN,1}', '{Infinity}', '0044-03-15 BC', '24:00:00')
            """, """
            insert into types(id, n, d, l, dt, tsz,ts) values ($id, 'Infinity', 1e300, -1, '0044-03-15 BC',
            '10000-01-01', '20000-01-01')
            """);

    private static final List<String> EXPECTED = List.of("""
            "b":true,"s":1,"i":2,"l":9007199254740993,"r":1.1,"d":1.1,"n":12345678901234567890.123456789,
            "n2":12.50,"m":12.34,"c":"ab   ","v":"vv","t":"tt","ba":"AP8=","dt":"2024-02-29",
            "tm":"12:34:56.123456","tmz":"10:34:56Z","ts":"2024-02-29T12:34:56.123456",
            "ts3":"2024-02-29T12:34:56.12","tsz":"2024-02-29T10:34:56.123456Z","iv":"P1Y2M3DT4H5M6.7S",
            "u":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","j":{"a":1.10},"jb":{"a":1.10},"x":"<a/>",
            "inet_":"10.0.0.1","cidr_":"10.0.0.0/8","mac":"08:00:2b:01:02:03","bit1":"1","bit8":"10100000",
            "vb":"101","mo":"happy","po":5,"pr":"(1,x)","ci":"Ci","lt":"a.b","hs":{"k":"v","n":null},
            "ir":"[1,5)","nr":"[1.5,2)","tr":"[\\"2024-01-01 00:00:00+00\\",)","pt":"(1.0,2.0)",
            "ln":"{1.0,2.0,3.0}","bx":"(1.0,1.0),(0.0,0.0)","poly":"((0.0,0.0),(1.0,1.0))","tsv":"'a' 'b'",
            "oid_":7,"ia":[1,null,3],"ta":["a",null],"na":[1.5,2],"da":["2024-01-01"],
            "tza":["2024-01-01T00:00:00Z"],"ba_":["AQ=="],"ua":["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
            "ja":[{"a":1}],"ma":["sad"],"i2":[[1,2],[3,4]],"baa":[true,false],"ra":[1.1],
            "tsa":["2024-01-01T01:02:03"],"tma":["01:02:03"],"iva":["1 day"],"la":[1,2],"ira":["[1,2)"],
            "ineta":["10.0.0.1"],"mra":"{[1,3)}","nm":"nm","lsn":"0/16B3748","vca":["vc"],"pa":["5"],
            "mona":["$1.50"],"cia":["Ci"]
            """, """
            "r":"NaN","d":"-Infinity","n":"NaN","dt":"infinity","tm":"24:00:00","ts":"-infinity",
            "ts3":"-0043-03-15T00:00:00","tsz":"infinity","na":["NaN",1],"ra":["Infinity"]
            """, """
            "l":-1,"d":1.0E+300,"n":"Infinity","dt":"-0043-03-15","ts":"+20000-01-01T00:00:00",
            "tsz":"+10000-01-01T00:00:00Z"
            """);

    @Test
    void valuesAreTheSameInASnapshotAndInTheStream() throws Exception {
        sql(
                "CREATE EXTENSION hstore",
                "CREATE EXTENSION citext",
                "CREATE EXTENSION ltree",
                "CREATE TYPE mood AS ENUM ('sad', 'happy')",
                "CREATE DOMAIN posint AS int CHECK (value > 0)",
                "CREATE TYPE pair AS (a int, b text)",
                "CREATE TABLE types (" + COLUMNS + ")");
        requireSame(INSERTS, EXPECTED);
    }
}

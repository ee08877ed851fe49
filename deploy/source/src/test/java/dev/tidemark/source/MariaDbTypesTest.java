package dev.tidemark.source;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.source.testkit.MariaDbServer;

import static org.assertj.core.api.Assertions.assertThat;

/** Each type of MariaDB as JSON, in a snapshot and in the stream. */
@ResourceLock("mariadb")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("MariaDB")
class MariaDbTypesTest extends TypesTestCase {
    private static final String COLUMNS = """
            id int primary key, b boolean, ti tinyint, tu tinyint unsigned, su smallint unsigned,
            mu mediumint unsigned, i int, iu int unsigned, l bigint, lu bigint unsigned, f float, d double,
            n decimal(20,6), nu decimal(8,2) unsigned zerofill, bit1 bit(1), bit10 bit(10), c char(5), v varchar(20),
            u8 varchar(20) character set utf8mb4, t text, lt longtext character set utf8mb4, bi binary(4),
            vb varbinary(9), bl blob, dt date, tm time, tm6 time(6), ts datetime, ts3 datetime(3), ts6 datetime(6),
            st timestamp null, st6 timestamp(6) null, y year, e enum('sad', 'it''s'), se set('a', 'b', 'c'), j json,
            u uuid, g point, f7 float, fu float unsigned, fd float(10, 6), ec enum('a', 'b,c'),
            gen int as (i + 1) virtual, pers int as (i + 2) stored
            """;

    private static final List<String> INSERTS = List.of("""
            set time_zone = '+02:00', sql_mode = '';
            insert into types set id = $id, b = true, ti = -5, tu = 250, su = 65535, mu = 16777215, i = -7,
            iu = 4294967295, l = -9007199254740993, lu = 18446744073709551615, f = 1.1, d = 1.1,
            n = 12345678901234.567890, nu = 12.50, bit1 = b'1', bit10 = b'1000000010', c = 'ab', v = 'é', u8 = 'ž😀',
            t = 'tt', lt = '{"a": 1.10}', bi = x'0100', vb = x'00ff', bl = x'c3', dt = '2024-02-29',
            tm = '-838:59:59', tm6 = '12:34:56.120000', ts = '2024-03-31 02:30:00', ts3 = '2024-02-29 12:34:56.120',
            ts6 = '9999-12-31 23:59:59.123456', st = '2024-02-29 12:34:56', st6 = '2024-02-29 12:34:56.000001',
            y = 2024, e = 'it''s', se = 'a,c', j = '{"a": 1.10}', u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
            g = point(1, 2), f7 = 1234567.1, fu = 0.1234567, fd = 123.456789, ec = 'b,c'
            """, """
            set time_zone = '+02:00', sql_mode = '';
            insert into types set id = $id, dt = '0000-00-00', ts = '0000-00-00 00:00:00', tm = '00:00:00', f = -1e30,
            d = 1e300, n = -0.000001, y = 0, e = '', se = '', v = '', bit10 = 0, j = '[null]', i = 0
            """, """
            insert into types set id = $id, dt = '0001-01-01', ts6 = '1000-01-01 00:00:00', st = '1970-01-02 00:00:00'
            """);

    private static final List<String> EXPECTED = List.of("""
            "b":1,"ti":-5,"tu":250,"su":65535,"mu":16777215,"i":-7,"iu":4294967295,"l":-9007199254740993,
            "lu":18446744073709551615,"f":1.1,"d":1.1,"n":12345678901234.567890,"nu":12.50,"bit1":true,
            "bit10":"1000000010","c":"ab","v":"é","u8":"ž😀","t":"tt","lt":"{\\"a\\": 1.10}","bi":"AQAAAA==",
            "vb":"AP8=","bl":"ww==","dt":"2024-02-29","tm":"-838:59:59","tm6":"12:34:56.12",
            "ts":"2024-03-31T02:30:00","ts3":"2024-02-29T12:34:56.12","ts6":"9999-12-31T23:59:59.123456",
            "st":"2024-02-29T10:34:56Z","st6":"2024-02-29T10:34:56.000001Z","y":2024,"e":"it's","se":"a,c",
            "j":{"a":1.10},"u":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "g":"AQEAAAAAAAAAAADwPwAAAAAAAABA",
            "f7":1234570.0,"fu":0.123457,"fd":123.456787109375,"ec":"b,c","gen":-6,"pers":-5
            """, """
            "i":0,"f":-1.0E+30,"d":1.0E+300,"n":-0.000001,"bit10":"0000000000","v":"","tm":"00:00:00","y":0,
            "e":"","se":"","j":[null],"gen":1,"pers":2
            """, """
            "dt":"0001-01-01","ts6":"1000-01-01T00:00:00","st":"1970-01-01T18:30:00Z"
            """);

    @Override
    MariaDbServer server() {
        return MariaDbServer.shared();
    }

    @Test
    void valuesAreTheSameInASnapshotAndInTheStream() throws Exception {
        sql("CREATE TABLE types (" + COLUMNS + ")");
        requireSame(INSERTS, EXPECTED);
        assertThat(said()).contains("column " + database + ".types.g (point)");
    }
}

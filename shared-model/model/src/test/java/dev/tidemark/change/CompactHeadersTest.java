package dev.tidemark.change;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CompactHeadersTest {
    private final Map<String, String> headers = new CompactHeaders(new String[] {"id", "type"}, new String[] {"7", ""});

    @Test
    void equalsAMapThatSaysTheSameWhateverItsOrder() {
        assertThat(headers).isEqualTo(Map.of("type", "", "id", "7")).isNotEqualTo(Map.of("id", "7"));
        assertThat(Map.of("type", "", "id", "7")).isEqualTo(headers).hasSameHashCodeAs(headers);
    }

    @Test
    void findsANameThatIsThereAndNoOther() {
        assertThat(headers.get("type")).isEmpty();
        assertThat(headers.get("Type")).isNull();
        assertThat(headers.containsKey("id")).isTrue();
        assertThat(headers.containsKey("7")).isFalse();
    }

    @Test
    void cannotBeChanged() {
        assertThatThrownBy(() -> headers.put("id", "8")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> headers.remove("id")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void comesToAnEnd() {
        Iterator<String> each = headers.keySet().iterator();

        assertThat(each.next()).isEqualTo("id");
        assertThat(each.next()).isEqualTo("type");
        assertThat(each.hasNext()).isFalse();
        assertThatThrownBy(each::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void wantsATextForEachName() {
        assertThatThrownBy(() -> new CompactHeaders(new String[] {"id"}, new String[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a text for each of 1 names, but got 0");
    }

    @Test
    void areNotCopiedByARecord() {
        assertThat(new WireRecord(ChangeCodec.HEARTBEAT_KEY, null, headers).headers())
                .isSameAs(headers);
    }
}

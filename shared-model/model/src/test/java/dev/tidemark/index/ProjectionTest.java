package dev.tidemark.index;

import java.util.List;

import org.junit.jupiter.api.Test;

import static dev.tidemark.index.Rows.derive;
import static dev.tidemark.index.Rows.fields;
import static dev.tidemark.index.Rows.projecting;
import static dev.tidemark.index.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProjectionTest {
    private static final String ROW = "{'k':1,'a':{'b':{'c':2,'d':[3]},'e':null},'f':'x','g':{}}";

    @Test
    void allCarriesTheWholeRow() throws Exception {
        assertThat(derive(projecting(new Projection.All()), ROW).carried()).isEqualTo(row(ROW));
    }

    @Test
    void keysOnlyCarriesNothing() throws Exception {
        assertThat(derive(projecting(new Projection.KeysOnly()), ROW).carried()).isNull();
    }

    @Test
    void fieldsCarryWhatIsThereWhereItWas() throws Exception {
        assertThat(derive(projecting(fields("f", "a.b.d", "a.e", "a.b.c", "g", "x", "f.y")), ROW)
                        .carried())
                .hasToString("{\"f\":\"x\",\"a\":{\"b\":{\"d\":[3],\"c\":2},\"e\":null},\"g\":{}}");
    }

    @Test
    void fieldsThatAreAllAbsentCarryAnEmptyObject() throws Exception {
        assertThat(derive(projecting(fields("x", "y.z")), ROW).carried()).hasToString("{}");
    }

    @Test
    void leavesTheRowAsItWas() throws Exception {
        var row = row(ROW);
        new EntryDeriver(projecting(fields("a.b.c", "a.e", "g"))).derive(Rows.PRIMARY_KEY, row);

        assertThat(row).isEqualTo(row(ROW));
    }

    @Test
    void nothingIsCarriedWhereThereIsNoEntry() throws Exception {
        assertThat(derive(projecting(new Projection.All()), "{'f':1}").carried())
                .isNull();
    }

    @Test
    void needsAField() {
        assertThatThrownBy(() -> new Projection.Fields(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}

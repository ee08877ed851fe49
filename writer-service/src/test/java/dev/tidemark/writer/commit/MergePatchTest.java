package dev.tidemark.writer.commit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

class MergePatchTest {
    /** The cases of RFC 7396, appendix A, whose target and patch are objects. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'a':'b'}         | {'a':'c'}              | {'a':'c'}",
                "{'a':'b'}         | {'b':'c'}              | {'a':'b','b':'c'}",
                "{'a':'b'}         | {'a':null}             | {}",
                "{'a':'b','b':'c'} | {'a':null}             | {'b':'c'}",
                "{'a':['b']}       | {'a':'c'}              | {'a':'c'}",
                "{'a':'c'}         | {'a':['b']}            | {'a':['b']}",
                "{'a':{'b':'c'}}   | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]} | {'a':[1]}              | {'a':[1]}",
                "{'e':null}        | {'a':1}                | {'e':null,'a':1}",
                "{}                | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}"
            })
    void mergesAsTheStandardSays(String target, String patch, String result) {
        assertThat(MergePatch.apply(json(target), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = "{'a':{'b':1},'c':[2]} | {'a':{'b':null},'c':null}")
    void leavesTheTargetAsItWas(String target, String patch) {
        var tree = json(target);

        MergePatch.apply(tree, json(patch));

        assertThat(tree).isEqualTo(json(target));
    }
}

package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.tidemark.access.Scope;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.http.Access;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;
import dev.tidemark.worker.explain.NoReceiptException;
import dev.tidemark.worker.explain.Receipt;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.QueryLimits;

/**
 * {@code GET /v1/receipts/{token}}.
 *
 * @param limits what may be asked for
 */
public record ReceiptRoutes(ReceiptService receipts, Supplier<Catalog> catalog, QueryLimits limits) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    List<Route> routes() {
        return List.of(Route.get("/v1/receipts/{token}", Permission.TOKEN, this::receipt));
    }

    private void receipt(Call call) throws BadInputException, InterruptedException {
        String token = call.pathParam("token");
        try {
            for (String name : call.queryParamMap().keySet()) {
                if (!name.equals("wait")) {
                    throw new ProblemException(Problem.badRequest("expected parameter wait alone, but got " + name));
                }
            }
            SessionToken asked = SessionToken.decode(token);
            Access.require(call, List.of(Scope.facts(asked.table())));
            Receipt receipt = receipts.ask(asked, patience(call));
            call.result(RowJson.write(new ReceiptJson(catalog).of(token, receipt)));
        } catch (NoReceiptException e) {
            String detail = String.valueOf(e.getMessage());
            throw new ProblemException(e.isGone() ? Problem.of(410, "Gone", detail) : Problem.notFound(detail));
        } catch (NotAnswerableException e) {
            throw new ProblemException(
                    Problem.retryable(503, "Not answerable now", String.valueOf(e.getMessage()), RETRY_AFTER));
        }
    }

    private Duration patience(Call call) {
        String text = Requests.parameter(call, "wait").orElse("0s");
        try {
            Duration patience = Durations.parse(text);
            if (patience.compareTo(limits.longestWait()) <= 0) {
                return patience;
            }
        } catch (BadSettingsException e) {
            throw new ProblemException(Problem.badRequest("parameter wait: " + e.getMessage()));
        }
        throw new ProblemException(Problem.badRequest("expected parameter wait to be at most "
                        + limits.longestWait().toSeconds() + "s, but got " + text)
                .typed(ProblemType.WAIT_TOO_LONG));
    }
}

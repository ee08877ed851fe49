  const seconds = value => value === null ? "unknown" : value < 1 ? Math.round(value * 1000) + " ms" : value.toFixed(1) + " s";
  const cell = (row, text, kind) => {
    const td = row.insertCell();
    td.textContent = text;
    if (kind) td.className = kind;
  };
  async function refresh() {
    try {
      const answer = await fetch("/v1/lag");
      if (!answer.ok) throw new Error("status " + answer.status);
      const body = document.createElement("tbody");
      for (const index of (await answer.json()).indexes) {
        const row = body.insertRow();
        cell(row, index.index);
        cell(row, index.table);
        cell(row, index.state, index.state);
        cell(row, index.entries.toLocaleString(), "number");
        cell(row, index.recordsBehind === null ? "unknown" : index.recordsBehind.toLocaleString(), "number");
        cell(row, seconds(index.freshnessSeconds), "number");
        cell(row, index.visibility.count ? seconds(index.visibility.p99Seconds) : "", "number");
        cell(row, index.quarantined.toLocaleString(), "number");
      }
      body.id = "indexes";
      document.getElementById("indexes").replaceWith(body);
      document.getElementById("problem").textContent = "";
    } catch (failure) {
      document.getElementById("problem").textContent = "The worker does not answer: " + failure.message;
    }
    setTimeout(refresh, 1000);
  }
  refresh();

// Server-sent events read from an answer, because the browser's own reader cannot show a token.

/** The messages of a stream, one after another: {event, id, data}; ends when the stream does. */
export async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) yield message(part);
  }
}

function message(part) {
  const fields = {};
  for (const line of part.split("\n")) {
    const colon = line.indexOf(": ");
    // A line that begins with the colon is a comment.
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return fields;
}

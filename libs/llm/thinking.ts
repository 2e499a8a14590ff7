const BEGIN = /^\s*<(?:think|thinking|reasoning)>/i;
const END = /<\/(?:think|thinking|reasoning)>/i;
const END_OF_LINE = /<\/(?:think|thinking|reasoning)>[ \t]*$/im;

/**
 * Removes the reasoning that some models send before their answer: `<think>…</think>`. If the chat template
 * adds the opening tag itself, only the closing tag appears in the answer. Reasoning without an end leaves an
 * empty answer.
 */
export function withoutThinking(text: string): string {
  let answer = text;
  while (BEGIN.test(answer)) {
    const end = END.exec(answer);
    if (!end) return '';
    answer = answer.slice(end.index + end[0].length);
  }
  if (answer !== text) return answer.trimStart();
  const end = END_OF_LINE.exec(text);
  // After a code fence the tag is quoted; after an opening tag it belongs to the text.
  if (!end || /```|<(?:think|thinking|reasoning)>/i.test(text.slice(0, end.index))) return text;
  return text.slice(end.index + end[0].length).trimStart();
}

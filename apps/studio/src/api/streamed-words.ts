import { jsonOf } from '#contracts/lenient.js';

/** Returns a text in the beginning of JSON, such as the proposed words in what has arrived of a model's answer. */
export function streamedWords(answer: string, field = 'replacement'): string {
  const key = `"${field}"`;
  const found = answer.lastIndexOf(key);
  const value = found < 0 ? '' : answer.slice(found + key.length).replace(/^\s*:\s*/, '');
  if (!value.startsWith('"')) return '';
  let end = 1;
  while (end < value.length && value[end] !== '"') end += escapeLength(value, end);
  // An escape sequence that has not arrived as a whole is left out.
  const whole = end > value.length ? value.lastIndexOf('\\') : end;
  return (jsonOf(`${value.slice(0, whole)}"`) as string | undefined) ?? '';
}

function escapeLength(text: string, at: number): number {
  if (text[at] !== '\\') return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}

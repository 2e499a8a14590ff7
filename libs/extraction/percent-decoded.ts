/** Decodes the percent codes of a text. Returns it unchanged if they are not valid UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns Markdown that shows an image of the session. Encodes special characters of its name, because an
 * escape, entity or anchor would point to another file.
 */
export function imageLine(name: string): string {
  const text = name.replace(/[\\[\]*_`<>&$~]/g, '\\$&');
  const path = name.replace(/[^\p{L}\p{M}\p{N} ./_()-]/gu, (mark) => encodeURIComponent(mark));
  return `![${text}](${/^[\w./-]+$/.test(name) ? name : `<${path}>`})`;
}

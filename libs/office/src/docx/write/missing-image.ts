import type { MissingReason } from './assets.js';
import type { Labels } from './labels.js';

/** What stands in the place of an image that is left out: its words, its name, and why unless there is no such file. */
export function missingImageText(
  image: { alt: string; ref: string },
  reason: MissingReason,
  labels: Labels,
): string {
  const words = [image.alt, imageName(image.ref)].filter(Boolean).join(' – ');
  return reason === 'not_found'
    ? `[${labels.missingImage}: ${words}]`
    : `[${labels.imageLeftOut}: ${words} (${labels.reasons[reason]})]`;
}

/** The file's name as a person reads it, without the folders or the address that it is at. */
export function imageName(ref: string): string {
  const path = ref.startsWith('data:') ? 'data' : ref.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const name = readable(path.slice(path.lastIndexOf('/') + 1)) || ref;
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}

function readable(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

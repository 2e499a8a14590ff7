import { percentDecoded } from '#contracts/lenient.js';
import type { MissingReason } from './assets.js';
import type { Labels } from './labels.js';

/**
 * Returns the placeholder for an omitted image: its alternative text, its file name and, unless the file does
 * not exist, the reason.
 */
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

/** Returns the readable file name without folders or host. */
export function imageName(ref: string): string {
  const path = ref.startsWith('data:') ? 'data' : ref.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const name = percentDecoded(path.slice(path.lastIndexOf('/') + 1)) || ref;
  return name.length > 60 ? `${name.slice(0, 57)}…` : name;
}

import type { NeedsModel } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { templatesFor } from './templates/fitting.js';

/** Returns why a plan needs a model, and the templates that need none, best first; null for a given plan (X21). */
export function needsModel({ intent, dag }: { intent?: unknown; dag?: unknown }): NeedsModel | null {
  if (typeof intent !== 'string' || dag !== undefined) return null;
  const alternatives = templatesFor(intent).map(({ name }) => name);
  return { detail: phrase('needs_model.plan', { templates: alternatives.join(', ') }), alternatives };
}

import type { NeedsModel } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { operationNames } from './contract/operations.js';
import { requiredFields } from './contract/profile.js';

/** Returns why a run needs a model, and what works without one; null if rules can do it (X21). */
export function needsModel(mode: string | null, inputs: Record<string, unknown>): NeedsModel | null {
  if (mode === 'assist_profile') return profileNeedsModel;
  if (inputs['feedback'] === undefined) return null;
  if (mode === 'chapter') return { detail: phrase('needs_model.chapter'), alternatives: ['content'] };
  if (mode !== 'refine_toc' || inputs['operations'] !== undefined) return null;
  const detail = phrase('needs_model.outline', { operations: operationNames.join(', ') });
  return { detail, alternatives: operationNames };
}

const fields = { fields: requiredFields.join(', ') };
const profileNeedsModel: NeedsModel = {
  detail: phrase('needs_model.profile', fields),
  alternatives: requiredFields,
};

/** Answer to a message for which the client wants rules instead of the model. */
export const rulesNoLongerReply: NeedsModel = {
  detail: phrase('needs_model.profile_rules', fields),
  alternatives: requiredFields,
};

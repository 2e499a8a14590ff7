import type { DocumentPorts } from './ports.js';
import { sanitizeLabel } from './tools/validation.js';

/** Saves a named checkpoint of the manuscript, and reports it; returns its ID. */
export async function saveCheckpoint(
  { checkpoints, emit }: Pick<DocumentPorts, 'checkpoints' | 'emit'>,
  saved: { label: string; manuscript: string; validated: boolean; effectKey: string },
): Promise<string> {
  const label = sanitizeLabel(saved.label);
  const { validated, effectKey } = saved;
  const id = await checkpoints.create({ ...saved, label });
  emit({ type: 'checkpoint_saved', data: { checkpoint_id: id, label, validated }, effectKey });
  return id;
}

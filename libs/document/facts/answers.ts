import { documentTasks } from '../contract/tasks.js';
import type { DecisionRequest } from '#contracts/decisions.js';
import type { AnswerContext } from '#engine/kind.js';

/**
 * X2: remembers the choices for missing references by the content of their sources, so that a person is asked
 * only once.
 */
export async function rememberReferences(
  answer: Record<string, unknown>,
  _request: DecisionRequest,
  context: AnswerContext,
): Promise<void> {
  const choices = Object.entries((answer['user_decisions'] as Record<string, string> | undefined) ?? {});
  if (choices.length === 0) return;
  const scan = documentTasks.scan_assets.output.safeParse(await context.taskOutput('scan_assets'));
  for (const [ref, choice] of choices) {
    const asset = choice === 'skip' ? null : await context.file('assets', choice);
    const found = scan.data?.references.filter((reference) => reference.ref === ref) ?? [];
    for (const source of new Set(found.map((reference) => reference.source))) {
      const input = await context.file('inputs', source);
      if (input) await context.remember(input.sha256, ref, asset);
    }
  }
}

import { phrase } from '#contracts/phrases/phrase.js';
import { renderText, translate } from '#cli/language.js';
import pc from 'picocolors';
import type { SelectionChange } from '../contract/schemas.js';

const prefixed = (text: string, mark: string, paint: (line: string) => string): string =>
  text
    .split('\n')
    .map((line) => paint(`${mark} ${line}`))
    .join('\n');

/** Renders a proposal for the terminal: the old and the new words, and what was found about them. */
export function renderChange(change: SelectionChange): string {
  const { before, after, note, findings, ledger } = change;
  const lines = [
    prefixed(before, '-', pc.red),
    after === ''
      ? pc.green(`+ ${translate(phrase('out.selection_removed'))}`)
      : prefixed(after ?? '', '+', pc.green),
    ...(note === null ? [] : [translate(phrase('out.note', { text: note }))]),
    ...findings.map(
      ({ severity, message, phrase: known }) =>
        `${translate(phrase(`out.severity.${severity}`))}: ${renderText(known, message)}`,
    ),
    ...(ledger === null
      ? []
      : [
          translate(
            phrase('out.carried_after_change', {
              share: ledger.coverage === null ? phrase('out.unknown') : percent(ledger.coverage),
            }),
          ),
          ...ledger.issues.map((issue) => `  ${issue}`),
        ]),
  ];
  return `\n${lines.join('\n')}\n`;
}

/** Rounds down, so that "100 %" means every line. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;

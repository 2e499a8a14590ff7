import type { Schemas } from '../../api/api-query';
import type { Translate } from '../../i18n/i18n';
import { FindingText } from '../finding-list';

type Finding = Schemas['Finding'];

/** Shows findings in the margin of a text. */
export const FindingNotes = ({ findings }: { findings: readonly Finding[] }) =>
  findings.map((finding) => <FindingText key={finding.id} finding={finding} />);

/** Returns the names of the rules of findings, each once. A rule without a name of its own has that of its group. */
export const rulesOf = (findings: readonly Finding[], t: Translate): string[] => [
  ...new Set(
    findings.map(({ rule }) =>
      t(`rule.${rule}`, { defaultValue: t(`rule.${rule.split('-')[0]}`, { defaultValue: t('rule.other') }) }),
    ),
  ),
];

/** Returns the findings about a part of a text that nobody called wrong. @param id of the paragraph, if it is one */
export const findingsIn = (
  findings: readonly Finding[],
  { id, start, end }: { id?: string; start: number; end: number },
): Finding[] =>
  findings.filter(
    ({ paragraph_id: of, span, overruled }) =>
      !overruled && ((id !== undefined && of === id) || (span && span.start >= start && span.end <= end)),
  );

import { Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { DraftDetails } from '../../api/articles';
import type { Schemas } from '../../api/client';
import { useMay } from '../../api/session';
import { BeforeAfter } from '../../ui/before-after';
import { Passage } from '../../ui/reading/passage';
import { useSourceView, ViewChoice } from '../../ui/reading/view-choice';
import { usePhrases } from '../../ui/use-phrases';

/** Rejected paragraphs by id, with the reasons. */
export type Rejections = ReadonlyMap<string, string>;

interface ParagraphChoicesProps {
  /** Session with the pictures of the text. */
  sessionId: string;
  details: DraftDetails;
  rejected: Rejections;
  /** Absent if paragraphs cannot be rejected now. */
  onChange?: (rejected: Rejections) => void;
}

/** Lets a person accept or reject each paragraph; accepted ones stay byte-identical (X8). */
export function ParagraphChoices({ sessionId, details, rejected, onChange }: ParagraphChoicesProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [isSource, setSource] = useSourceView();
  const set = (id: string, reason: string | null) => {
    const next = new Map(rejected);
    if (reason === null) next.delete(id);
    else next.set(id, reason);
    onChange?.(next);
  };
  return (
    <Stack gap="xs">
      <ViewChoice isSource={isSource} onChange={setSource} />
      {details.paragraphs.map((paragraph, index) => (
        <Paper
          key={paragraph.id}
          withBorder
          p="sm"
          data-kind={rejected.has(paragraph.id) ? 'removed' : undefined}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <Whole paragraph={paragraph} details={details} isSource={isSource} sessionId={sessionId} />
            {mayWrite && onChange && (
              <SegmentedControl
                size="xs"
                aria-label={t('draft.paragraph', { number: index + 1 })}
                data={[
                  { value: 'accept', label: t('revision.accept') },
                  { value: 'reject', label: t('revision.reject') },
                ]}
                value={rejected.has(paragraph.id) ? 'reject' : 'accept'}
                onChange={(value) => set(paragraph.id, value === 'reject' ? '' : null)}
              />
            )}
          </Group>
          {rejected.has(paragraph.id) && (
            <TextInput
              mt="xs"
              label={t('draft.reason')}
              value={rejected.get(paragraph.id) ?? ''}
              onChange={(event) => set(paragraph.id, event.currentTarget.value)}
            />
          )}
        </Paper>
      ))}
    </Stack>
  );
}

interface WholeProps {
  paragraph: DraftDetails['paragraphs'][number];
  details: DraftDetails;
  isSource: boolean;
  sessionId: string;
}

/** Shows the whole paragraph: before and after the last revision if that changed it, and its findings. */
function Whole({ paragraph: { id, span, begins }, details, ...view }: WholeProps) {
  const render = usePhrases();
  const text = span ? details.draft.slice(span.start, span.end) : begins;
  const change = details.changes.find(({ after }) => after.trim() !== '' && after.trim() === text.trim());
  const findings = [...details.findings, ...details.annotations].filter(
    (finding) => !finding.overruled && isWithin(finding, id, span),
  );
  return (
    <div className="reviewed-paragraph">
      {change ? (
        <BeforeAfter before={change.before} after={text} {...view} />
      ) : (
        <Passage markdown={text} {...view} />
      )}
      {findings.map(({ id: key, message, phrase }) => (
        <Text key={key} size="sm" className="quoted" mt={4}>
          {render(phrase, message)}
        </Text>
      ))}
    </div>
  );
}

/** Returns whether a finding is about a paragraph. */
function isWithin(
  { paragraph_id: of, span: at }: Schemas['Finding'],
  id: string,
  span: { start: number; end: number } | undefined,
): boolean {
  if (of !== null) return of === id;
  return at !== null && span !== undefined && at.start >= span.start && at.end <= span.end;
}

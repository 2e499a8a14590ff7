import { Paper, Stack, Tabs, Text, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { DraftDetails } from '../../api/articles';
import { changeFinding, type AnswerValue, type Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import type { AnswerChoice } from '../../ui/answer-bar';
import { NeedsModel, useHasModel } from '../../ui/needs-model';
import { ReviewedText } from '../../ui/reviewed-text';
import { ArticleAnswers } from './article-answers';
import { useCitedSources } from './use-cited-sources';
import type { Schemas } from '../../api/client';
import { BeforeAfter } from '../../ui/before-after';
import { Passage } from '../../ui/reading/passage';
import { usePhrases } from '../../ui/use-phrases';
import { Card, Hint } from '../../ui/card';
import { textProps } from '../../ui/form';

/** Lets a person accept, reject or edit a draft, or decide about single paragraphs (A3, A13, X8). */
export default function DraftReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as DraftDetails;
  const [text, setText] = useState(details.draft);
  const [rejected, setRejected] = useState<Rejections>(new Map());
  const sources = useCitedSources(decision.run_id);
  const hasModel = useHasModel();
  const accept = (): AnswerChoice<AnswerValue> => {
    if (rejected.size > 0) {
      const label = t(hasModel ? 'draft.decide' : 'draft.remove', { count: rejected.size });
      return { label, answer: { action: 'decide', paragraphs: [...rejected].map(rejectParagraph) } };
    }
    return text === details.draft
      ? { label: t('draft.accept'), answer: { action: 'accept' } }
      : { label: t('draft.handBack'), answer: { action: 'edit', text } };
  };
  return (
    <Card title={t('draft.title')}>
      {details.iteration_count > 0 && <Hint>{t('draft.iteration', { count: details.iteration_count })}</Hint>}
      <Tabs defaultValue="text" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="text">{t('drafting.text')}</Tabs.Tab>
          <Tabs.Tab value="edit">{t('drafting.edit')}</Tabs.Tab>
          <Tabs.Tab value="paragraphs">{t('draft.paragraphs')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text">
          <Passage
            label={t('drafting.text')}
            markdown={text}
            sessionId={decision.session_id}
            sources={sources}
          />
        </Tabs.Panel>
        <Tabs.Panel value="edit">
          {rejected.size > 0 && <Text size="sm">{t('draft.acceptFirst')}</Text>}
          <ReviewedText
            label={t('draft.title')}
            content={text}
            findings={[...details.findings, ...details.annotations]}
            readOnly={!mayWrite || rejected.size > 0}
            onChange={setText}
            onRule={mayWrite ? (finding, ruled) => changeFinding(decision.id, finding, ruled) : undefined}
          />
        </Tabs.Panel>
        <Tabs.Panel value="paragraphs">
          {text !== details.draft && <Text size="sm">{t('draft.undoFirst')}</Text>}
          <ParagraphChoices
            sessionId={decision.session_id}
            details={details}
            rejected={rejected}
            {...(text === details.draft && { onChange: setRejected })}
          />
        </Tabs.Panel>
      </Tabs>
      {!hasModel && <NeedsModel text={t('needsModel.draft')} />}
      <ArticleAnswers
        decision={decision}
        {...(hasModel && { reject: { reasonLabel: t('draft.feedback'), answerWith: rejectDraft } })}
        accept={accept()}
      />
    </Card>
  );
}

const rejectDraft = (feedback: string) => ({ action: 'reject', feedback });

function rejectParagraph([paragraph_id, typed]: [string, string]) {
  const reason = typed.trim();
  return { paragraph_id, accepted: false, ...(reason === '' ? {} : { reason }) };
}

/** Rejected paragraphs by id, with the reasons. */
type Rejections = ReadonlyMap<string, string>;

interface ParagraphChoicesProps {
  /** Session with the pictures of the text. */
  sessionId: string;
  details: DraftDetails;
  rejected: Rejections;
  /** Absent if paragraphs cannot be rejected now. */
  onChange?: (rejected: Rejections) => void;
}

/** Lets a person accept or reject each paragraph; accepted ones stay byte-identical (X8). */
function ParagraphChoices({ sessionId, details, rejected, onChange }: ParagraphChoicesProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const hasModel = useHasModel();
  const set = (id: string, reason: string | null) => {
    const next = new Map(rejected);
    if (reason === null) next.delete(id);
    else next.set(id, reason);
    onChange?.(next);
  };
  return (
    <Stack gap="xs">
      {details.paragraphs.map((paragraph, index) => (
        <Paper
          key={paragraph.id}
          withBorder
          p="sm"
          data-kind={rejected.has(paragraph.id) ? 'removed' : undefined}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <Whole paragraph={paragraph} details={details} sessionId={sessionId} />
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
          {hasModel && rejected.has(paragraph.id) && (
            <TextInput
              mt="xs"
              label={t('draft.reason')}
              {...textProps(rejected.get(paragraph.id) ?? '', (typed) => set(paragraph.id, typed))}
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

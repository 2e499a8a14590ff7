import { Paper, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { DraftDetails } from '#article/contract/values.js';
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
import { AcceptOrReject, useRejections, type Rejections } from '../../ui/accept-or-reject';

/** Lets a person accept, reject or edit a draft, or decide about single paragraphs (A3, A13, X8). */
export default function DraftReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as DraftDetails;
  const [text, setText] = useState(details.draft);
  const [rejected, decide] = useRejections();
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
            {...(text === details.draft && mayWrite && { onDecide: decide })}
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

interface ParagraphChoicesProps {
  /** Session with the pictures of the text. */
  sessionId: string;
  details: DraftDetails;
  rejected: Rejections;
  /** Absent if paragraphs cannot be rejected now. */
  onDecide?: (id: string, reason: string | null) => void;
}

/** Lets a person accept or reject each paragraph; accepted ones stay byte-identical (X8). */
function ParagraphChoices({ sessionId, details, rejected, onDecide }: ParagraphChoicesProps) {
  const { t } = useTranslation();
  const hasModel = useHasModel();
  return (
    <Stack gap="xs">
      {details.paragraphs.map((paragraph, index) => (
        <Paper
          key={paragraph.id}
          withBorder
          p="sm"
          data-kind={rejected.has(paragraph.id) ? 'removed' : undefined}
        >
          <Whole paragraph={paragraph} details={details} sessionId={sessionId} />
          {onDecide && (
            <AcceptOrReject
              maxReason={8_000}
              label={t('draft.paragraph', { number: index + 1 })}
              reasonLabel={hasModel ? t('draft.reason') : undefined}
              reason={rejected.get(paragraph.id)}
              onDecide={(reason) => onDecide(paragraph.id, reason)}
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

import { TextViews } from '../../ui/reading/text-views';
import { Text } from '@mantine/core';
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
import { FindingNotes, findingsIn, rulesOf } from '../../ui/proposals/finding-notes';
import { Proposals, useDecisions, type ProposedParagraph } from '../../ui/proposals/proposals';
import type { CommentedText } from '../../api/comments';
import { PageTabs } from '../../ui/page-tabs';
import { Card, Hint } from '../../ui/frames';

/** Lets a person accept, reject or edit a draft, or decide about single paragraphs (A3, A13, X8). */
export default function DraftReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as DraftDetails;
  const [text, setText] = useState(details.draft);
  const decisions = useDecisions(decision.id);
  const rejected = details.paragraphs.filter(({ id }) => decisions.isRejected(id));
  const sources = useCitedSources(decision.run_id);
  const hasModel = useHasModel();
  const accept = (): AnswerChoice<AnswerValue> => {
    if (rejected.length > 0) {
      const label = t(hasModel ? 'draft.decide' : 'draft.remove', { count: rejected.length });
      const paragraphs = rejected.map(({ id: paragraph_id }) => {
        const reason = decisions.reasonOf(paragraph_id);
        return { paragraph_id, accepted: false, ...(reason === '' ? {} : { reason }) };
      });
      return { label, answer: { action: 'decide', paragraphs } };
    }
    return text === details.draft
      ? { label: t('draft.accept'), answer: { action: 'accept' } }
      : { label: t('draft.handBack'), answer: { action: 'edit', text } };
  };
  const { session_id: sessionId } = decision;
  const commented: CommentedText = { session_id: sessionId, of: 'article' };
  const reading = (
    <TextViews label={t('drafting.text')} markdown={text} comments={commented} {...{ sessionId, sources }} />
  );
  const editor = (
    <>
      {rejected.length > 0 && <Text size="sm">{t('draft.acceptFirst')}</Text>}
      <ReviewedText
        label={t('draft.title')}
        content={text}
        findings={[...details.findings, ...details.annotations]}
        readOnly={!mayWrite || rejected.length > 0}
        onChange={setText}
        onRule={mayWrite ? (finding, ruled) => changeFinding(decision.id, finding, ruled) : undefined}
      />
    </>
  );
  const choices = (
    <>
      {text !== details.draft && <Text size="sm">{t('draft.undoFirst')}</Text>}
      <ParagraphChoices {...{ decision, decisions }} mayDecide={text === details.draft && mayWrite} />
    </>
  );
  return (
    <Card title={t('draft.title')}>
      {details.iteration_count > 0 && <Hint>{t('draft.iteration', { count: details.iteration_count })}</Hint>}
      <PageTabs
        parameter={`draft_${decision.id.slice(-6)}`}
        tabs={[
          { name: 'text', label: t('drafting.text'), content: reading },
          { name: 'edit', label: t('drafting.edit'), content: editor },
          { name: 'paragraphs', label: t('draft.paragraphs'), content: choices },
        ]}
      />
      {!hasModel && <NeedsModel text={t('needsModel.draft')} />}
      <ArticleAnswers
        decision={decision}
        commented={commented}
        {...(hasModel && { reject: { reasonLabel: t('draft.feedback'), answerWith: rejectDraft } })}
        accept={accept()}
      />
    </Card>
  );
}

const rejectDraft = (feedback: string) => ({ action: 'reject', feedback });

interface ParagraphChoicesProps {
  decision: Decision;
  decisions: ReturnType<typeof useDecisions>;
  /** Whether paragraphs can be rejected now. */
  mayDecide: boolean;
}

/**
 * Lets a person accept or reject each paragraph, with its changes since the last revision and its findings; accepted ones
 * stay byte-identical (X8).
 */
function ParagraphChoices({ decision, decisions, mayDecide }: ParagraphChoicesProps) {
  const { t } = useTranslation();
  const hasModel = useHasModel();
  const { draft, paragraphs, changes, findings, annotations } = decision.details as DraftDetails;
  const shown = paragraphs.map(({ id, span, begins }, index): ProposedParagraph => {
    const after = span ? draft.slice(span.start, span.end) : begins;
    const change = changes.find((one) => one.after.trim() === after.trim());
    const text = change?.before ?? after;
    const about = findingsIn([...findings, ...annotations], { id, ...(span ?? { start: 0, end: -1 }) });
    const proposal = {
      ...{ id, after, span: change ? { start: 0, end: text.length } : null },
      ...{ title: t('draft.paragraph', { number: index + 1 }), by: rulesOf(about, t) },
      state: decisions.stateOf(id),
      notes: (
        <>
          <FindingNotes findings={about} />
          {mayDecide && hasModel && decisions.reasonField(id, t('draft.reason'), 8_000)}
        </>
      ),
    };
    return { key: id, text, proposals: [proposal] };
  });
  return (
    <Proposals
      label={t('draft.paragraphs')}
      paragraphs={shown}
      sessionId={decision.session_id}
      decide={mayDecide ? decisions.decide : undefined}
    />
  );
}

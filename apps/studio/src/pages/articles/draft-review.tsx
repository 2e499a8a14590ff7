import { Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { DraftDetails } from '../../api/articles';
import { changeFinding, type AnswerValue, type Decision } from '../../api/decisions';
import { retryingImport } from '../../api/retrying-import';
import { runQuery } from '../../api/runs';
import { useMay } from '../../api/session';
import type { AnswerChoice } from '../../ui/answer-bar';
import { PageLoader } from '../../ui/page-loader';
import { ReviewedText } from '../../ui/reviewed-text';
import { isByRules } from '../../ui/writer-name';
import { ArticleAnswers } from './article-answers';
import { ParagraphChoices, type Rejections } from './paragraph-choices';
import { useCitedSources } from './use-cited-sources';

const RenderedText = lazy(retryingImport(() => import('../../ui/reading/rendered-text')));

/** Lets a person accept, reject or edit a draft, or decide about single paragraphs (A3, A13, X8). */
export function DraftReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as DraftDetails;
  const [text, setText] = useState(details.draft);
  const [rejected, setRejected] = useState<Rejections>(new Map());
  const run = useQuery(runQuery(decision.run_id)).data;
  const sources = useCitedSources(decision.run_id);
  const isRuled = run !== undefined && isByRules(run);
  const accept = (): AnswerChoice<AnswerValue> => {
    if (rejected.size > 0) {
      const label = t('draft.decide', { count: rejected.size });
      return { label, answer: { action: 'decide', paragraphs: [...rejected].map(rejectParagraph) } };
    }
    return text === details.draft
      ? { label: t('draft.accept'), answer: { action: 'accept' } }
      : { label: t('draft.handBack'), answer: { action: 'edit', text } };
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t('draft.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('draft.title')}
        </Title>
        {details.iteration_count > 0 && (
          <Text size="sm" c="dimmed">
            {t('draft.iteration', { count: details.iteration_count })}
          </Text>
        )}
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="text">{t('drafting.text')}</Tabs.Tab>
            <Tabs.Tab value="edit">{t('drafting.edit')}</Tabs.Tab>
            <Tabs.Tab value="paragraphs">{t('draft.paragraphs')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <Suspense fallback={<PageLoader />}>
              <RenderedText
                label={t('drafting.text')}
                markdown={text}
                sessionId={decision.session_id}
                sources={sources}
                fallback={<div className="pre-wrap">{text}</div>}
              />
            </Suspense>
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
            {isRuled && <Text size="sm">{t('draft.byRules')}</Text>}
            <ParagraphChoices
              sessionId={decision.session_id}
              details={details}
              rejected={rejected}
              {...(text === details.draft && { onChange: setRejected })}
            />
          </Tabs.Panel>
        </Tabs>
        <ArticleAnswers
          decision={decision}
          reject={{
            reasonLabel: t('draft.feedback'),
            answerWith: (feedback) => ({ action: 'reject', feedback }),
          }}
          accept={accept()}
        />
      </Stack>
    </Paper>
  );
}

function rejectParagraph([paragraph_id, typed]: [string, string]) {
  const reason = typed.trim();
  return { paragraph_id, accepted: false, ...(reason === '' ? {} : { reason }) };
}

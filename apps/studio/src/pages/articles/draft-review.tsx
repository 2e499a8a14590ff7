import { Button, Group, Paper, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerArticle, type DraftDetails } from '../../api/articles';
import type { Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { ProblemAlert } from '../../ui/problem-alert';
import { ReviewedText } from '../../ui/reviewed-text';
import { ParagraphChoices, type Rejections } from './paragraph-choices';
import { StopArticle } from './stop-article';

/** Lets a person accept, reject or edit a draft, or decide about single paragraphs (A3, A13, X8). */
export function DraftReview({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const details = decision.details as DraftDetails;
  const [text, setText] = useState(details.draft);
  const [rejected, setRejected] = useState<Rejections>(new Map());
  const findings = [...details.findings, ...details.annotations];
  return (
    <Paper withBorder p="md" component="section" aria-label={t('draft.title')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('draft.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('draft.iteration', { count: details.iteration_count })}
        </Text>
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="text">{t('drafting.text')}</Tabs.Tab>
            <Tabs.Tab value="paragraphs">{t('draft.paragraphs')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <ReviewedText
              label={t('draft.title')}
              content={text}
              findings={findings}
              readOnly={!mayWrite}
              onChange={setText}
            />
          </Tabs.Panel>
          <Tabs.Panel value="paragraphs">
            <ParagraphChoices paragraphs={details.paragraphs} rejected={rejected} onChange={setRejected} />
          </Tabs.Panel>
        </Tabs>
        {mayWrite && (
          <Answers decision={decision} edited={text === details.draft ? null : text} rejected={rejected} />
        )}
      </Stack>
    </Paper>
  );
}

interface AnswersProps {
  decision: Decision;
  /** The text if it was edited; otherwise null. */
  edited: string | null;
  rejected: Rejections;
}

function Answers({ decision, edited, rejected }: AnswersProps) {
  const { t } = useTranslation();
  const [feedback, setFeedback] = useState('');
  const answering = useMutation({
    mutationFn: (answer: Parameters<typeof answerArticle>[1]) => answerArticle(decision.id, answer),
  });
  const decide = () =>
    answering.mutate({
      action: 'decide',
      paragraphs: [...rejected].map(([id, reason]) => ({
        paragraph_id: id,
        accepted: false,
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      })),
    });
  const isBusy = answering.isPending;
  return (
    <Stack gap="sm">
      {answering.error && <ProblemAlert error={answering.error} />}
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          label={t('draft.feedback')}
          maxLength={8_000}
          value={feedback}
          onChange={(event) => setFeedback(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={feedback.trim() === '' || isBusy}
          onClick={() => answering.mutate({ action: 'reject', feedback: feedback.trim() })}
        >
          {t('draft.reject')}
        </Button>
        <StopArticle isBusy={isBusy} onStop={() => answering.mutate({ action: 'stop' })} />
        {rejected.size > 0 ? (
          <Button loading={isBusy} onClick={decide}>
            {t('draft.decide', { count: rejected.size })}
          </Button>
        ) : (
          <Button
            loading={isBusy}
            onClick={() =>
              answering.mutate(edited === null ? { action: 'accept' } : { action: 'edit', text: edited })
            }
          >
            {t(edited === null ? 'draft.accept' : 'draft.handBack')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

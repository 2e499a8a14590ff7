import { Button, Group, Paper, ScrollArea, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { askAssistant } from '../../../api/books';
import { ApiProblem } from '../../../api/client';
import { useMay } from '../../../api/session';
import { ProblemAlert } from '../../../ui/problem-alert';
import { usePhrases } from '../../../ui/use-phrases';
import { ProposedFields } from './proposed-fields';
import { filled, type Concept, type Message } from './use-concept';

/**
 * Conversation about the profile (B17, B18). Fields that rules read from the author's words go straight into
 * the form. A model's proposals are only shown, until the author accepts them or finalises the profile.
 */
export function ProfileChat({ concept }: { concept: Concept }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const { draft } = concept;
  const mayWrite = useMay('write');
  const asking = useMutation({
    mutationFn: async (content: string | null) => {
      const said: Message[] = content === null ? [] : [{ role: 'user', content }];
      const messages = [...draft.messages, ...said];
      const id = await concept.ensureBook();
      concept.say(...said);
      const reply = await askAssistant(id, {
        messages,
        profile: filled({ ...draft.profile, ...draft.proposed }),
        // Without a new message, rules reply to the last one, which the model has failed to answer.
        ...(content === null ? { by_rules: true } : {}),
      });
      concept.say({ role: 'assistant', content: render(reply.reply_phrase, reply.assistant_reply) });
      if (reply.is_finalized) concept.takeOver(reply.field_updates);
      else if (!reply.used_fallback) concept.propose(reply.field_updates);
      else if (Object.keys(reply.field_updates).length > 0) concept.change(reply.field_updates);
      return reply;
    },
  });
  const { choices = [], choice_phrases: phrases } = asking.data ?? {};
  const shown = choices.map((choice, i) => render(phrases?.[i], choice));
  return (
    <Paper withBorder p="md" component="section" aria-label={t('chat.title')}>
      <Stack h="100%">
        <Title order={2} size="h4">
          {t('chat.title')}
        </Title>
        <Conversation messages={draft.messages} />
        <ProposedFields concept={concept} />
        {asking.error && <ProblemAlert error={asking.error} />}
        {asking.error instanceof ApiProblem && asking.error.problem.code === 'model_failed' && (
          <Button variant="default" onClick={() => asking.mutate(null)}>
            {t('chat.byRules')}
          </Button>
        )}
        <Group gap="xs" role="group" aria-label={t('chat.choices')}>
          {shown.map((choice) => (
            <Button
              key={choice}
              size="xs"
              radius="xl"
              variant="light"
              disabled={asking.isPending}
              onClick={() => asking.mutate(choice)}
            >
              {choice}
            </Button>
          ))}
        </Group>
        {mayWrite && <Say isBusy={asking.isPending} onSay={asking.mutateAsync} />}
      </Stack>
    </Paper>
  );
}

interface SayProps {
  isBusy: boolean;
  onSay: (text: string) => Promise<unknown>;
}

function Say({ isBusy, onSay }: SayProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // If this fails, leave the text for another attempt.
    if (text.trim() !== '')
      void onSay(text.trim()).then(
        () => setText(''),
        () => undefined,
      );
  };
  return (
    <form onSubmit={submit}>
      <Group wrap="nowrap" align="flex-end">
        <TextInput
          flex={1}
          label={t('chat.message')}
          placeholder={t('chat.hint')}
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
          {t('chat.send')}
        </Button>
      </Group>
    </form>
  );
}

function Conversation({ messages }: { messages: Message[] }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, [messages.length]);
  if (messages.length === 0) return <Text c="dimmed">{t('chat.empty')}</Text>;
  return (
    <ScrollArea.Autosize
      mah={360}
      viewportRef={frame}
      viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': t('chat.log') }}
    >
      <Stack gap="xs">
        {messages.map(({ role, content }, index) => (
          <Paper key={index} className="chat-message" data-role={role} p="xs">
            <Text size="xs" c="dimmed">
              {t(`chat.${role}`)}
            </Text>
            <Text size="sm">{content}</Text>
          </Paper>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  );
}

import { Bullets } from '../../../ui/bullets';
import { LineForm } from '../../../ui/line-form';
import { Button, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { askAssistant, type Profile, ProfileReply } from '../../../api/books';
import { useMay } from '../../../api/session';
import { NeedsModel, useHasModel } from '../../../ui/needs-model';
import { Hint, Heading } from '../../../ui/frames';
import { usePhrases } from '../../../ui/run-words';
import { filled, type Concept, type Message } from './use-concept';
import { SmallButton, ActionButton } from '../../../ui/actions';

/**
 * Conversation about the profile with a model (B17, B18). Its proposals are only shown, until the author accepts them or
 * finalises the profile.
 */
export function ProfileChat({ concept }: { concept: Concept }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const { draft } = concept;
  const mayWrite = useMay('write');
  const hasModel = useHasModel();
  const [reply, setReply] = useState<ProfileReply>();
  const ask = async (content: string) => {
    const said: Message = { role: 'user', content };
    const messages = [...draft.messages, said];
    const id = await concept.ensureBook();
    concept.say(said);
    const profile = filled({ ...draft.profile, ...draft.proposed });
    const answer = await askAssistant(id, { messages, profile });
    concept.say({ role: 'assistant', content: render(answer.reply_phrase, answer.assistant_reply) });
    if (answer.is_finalized) concept.takeOver(answer.field_updates);
    else concept.propose(answer.field_updates);
    setReply(answer);
  };
  const { choices = [], choice_phrases: phrases } = reply ?? {};
  const shown = choices.map((choice, i) => render(phrases?.[i], choice));
  return (
    <Paper withBorder p="md" component="section" aria-label={t('chat.title')}>
      <Stack h="100%">
        <Heading>{t('chat.title')}</Heading>
        {(hasModel || draft.messages.length > 0) && <Conversation messages={draft.messages} />}
        {!hasModel && <NeedsModel text={t('needsModel.profile')} />}
        <ProposedFields concept={concept} />
        <Group gap="xs" role="group" aria-label={t('chat.choices')}>
          {shown.map((choice) => (
            <ActionButton
              key={choice}
              {...{ size: 'xs', radius: 'xl', variant: 'light' }}
              group="ask"
              label={choice}
              act={() => ask(choice)}
            />
          ))}
        </Group>
        {mayWrite && hasModel && (
          <LineForm
            fields={[
              { name: 'text', label: t('chat.message'), placeholder: t('chat.hint'), maxLength: 4_000 },
            ]}
            action={t('chat.send')}
            onSubmit={({ text }) => ask(text)}
          />
        )}
      </Stack>
    </Paper>
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
            <Hint size="xs">{t(`chat.${role}`)}</Hint>
            <Text size="sm">{content}</Text>
          </Paper>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  );
}

/** Shows a model's proposals for the profile, until the author accepts or dismisses them (B17). */
function ProposedFields({ concept }: { concept: Concept }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const fields = Object.entries(concept.draft.proposed) as [keyof Profile, string | number][];
  if (fields.length === 0) return null;
  return (
    <Paper withBorder p="xs" role="group" aria-label={t('chat.proposed')}>
      <Text size="sm" fw={600}>
        {t('chat.proposed')}
      </Text>
      <Bullets mb="xs" items={fields.map(([field, value]) => `${t(`profile.${field}`)}: ${value}`)} />
      {mayWrite && (
        <Group gap="xs">
          <Button size="xs" onClick={() => concept.takeOver()}>
            {t('chat.takeOver')}
          </Button>
          <SmallButton label={t('chat.turnDown')} onClick={concept.turnDown} />
        </Group>
      )}
    </Paper>
  );
}

import {
  Button,
  Checkbox,
  MultiSelect,
  SegmentedControl,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { startArticle, type ArticleMode } from '../../api/articles';
import { NamedSourceFields, namesOf, NO_SOURCES } from '../../ui/named-sources';
import { ProblemAlert } from '../../ui/problem-alert';
import { ArticleNeeds } from './article-needs';
import { NO_ARTICLE, type InitialArticle } from './initial-article';
import { TopicCheck } from './topic-check';

const MODES = ['author', 'shadow'] as const;

/** Starts an article from a topic, or a comparison of a text with the style corpus (A1). */
export default function NewArticle({ initial = NO_ARTICLE }: { initial?: InitialArticle }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [mode, setMode] = useState<ArticleMode>(initial.mode);
  const [topic, setTopic] = useState(initial.topic);
  const [keywords, setKeywords] = useState(initial.keywords);
  const [text, setText] = useState(initial.text);
  const [isGeneral, setGeneral] = useState(initial.isGeneral);
  const [isWebOnly, setWebOnly] = useState(initial.isWebOnly);
  const [sources, setSources] = useState({ ...NO_SOURCES, pages: initial.pages });
  const [kept, setKept] = useState(initial.earlier?.files ?? []);
  const starting = useMutation({
    mutationFn: () =>
      startArticle(
        mode,
        {
          ...(mode === initial.mode && initial.others),
          ...(mode === 'author'
            ? { topic: topic.trim(), keywords, ...(isWebOnly && { research: 'web' as const }) }
            : { user_text: text, ...(isGeneral && { rules: 'general' as const }) }),
        },
        mode === 'author' ? sources : NO_SOURCES,
        mode === 'author' && initial.earlier && kept.length > 0
          ? { sessionId: initial.earlier.sessionId, files: kept }
          : null,
      ),
    onSuccess: ({ id }) => navigate({ to: '/articles/$runId', params: { runId: id } }),
  });
  const [isReady, setReady] = useState(false);
  const isEmpty = (mode === 'author' ? topic : text).trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label={t('articles.mode')}
          value={mode}
          onChange={(value) => setMode(value as ArticleMode)}
          data={MODES.map((value) => ({ value, label: t(`articleMode.${value}`) }))}
        />
        {mode === 'author' ? (
          <>
            <TextInput
              label={t('articles.topic')}
              required
              maxLength={500}
              value={topic}
              onChange={(event) => setTopic(event.currentTarget.value)}
            />
            <TagsInput label={t('articles.keywords')} maxTags={30} value={keywords} onChange={setKeywords} />
            <EarlierFiles earlier={initial.earlier} kept={kept} onChange={setKept} />
            <NamedSourceFields sources={sources} onChange={setSources} />
            <TopicCheck topic={topic} keywords={keywords} />
          </>
        ) : (
          <ShadowFields text={text} onText={setText} isGeneral={isGeneral} onGeneral={setGeneral} />
        )}
        <ArticleNeeds
          mode={mode}
          isGeneral={isGeneral}
          hasNamed={namesOf(sources).length + kept.length > 0}
          isWebOnly={isWebOnly}
          onWebOnly={setWebOnly}
          onChange={setReady}
        />
        {starting.error && <ProblemAlert error={starting.error} />}
        <Button type="submit" loading={starting.isPending} disabled={isEmpty || !isReady}>
          {t('articles.start')}
        </Button>
      </Stack>
    </form>
  );
}

interface EarlierFilesProps {
  earlier: InitialArticle['earlier'];
  /** Names of the files that the article uses again. */
  kept: string[];
  onChange: (kept: string[]) => void;
}

/** Lets a person choose which files of the earlier run the article uses again. */
function EarlierFiles({ earlier, kept, onChange }: EarlierFilesProps) {
  const { t } = useTranslation();
  if (!earlier) return null;
  return <MultiSelect label={t('namedSources.kept')} data={earlier.files} value={kept} onChange={onChange} />;
}

interface ShadowFieldsProps {
  text: string;
  onText: (text: string) => void;
  isGeneral: boolean;
  onGeneral: (isGeneral: boolean) => void;
}

/** Asks for the text to review, and whether to ignore the style corpus (A7). */
function ShadowFields({ text, onText, isGeneral, onGeneral }: ShadowFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Textarea
        label={t('articles.text')}
        description={t('articles.textHint')}
        required
        autosize
        minRows={8}
        maxRows={20}
        maxLength={200_000}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <Checkbox
        label={t('articles.general')}
        checked={isGeneral}
        onChange={(event) => onGeneral(event.currentTarget.checked)}
      />
    </>
  );
}

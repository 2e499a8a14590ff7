import {
  Checkbox,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
  Alert,
  Text,
} from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, useEffect } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { startArticle, type ArticleMode, topicQuery } from '../../api/articles';
import { NamedSourceFields, namesOf, NO_SOURCES } from '../../ui/named-sources';
import { NO_ARTICLE, type InitialArticle } from './initial-article';
import { corpusTextsQuery } from '../../api/corpus';
import { collectionsQuery } from '../../api/knowledge';
import { RouteAnchor } from '../../ui/route-links';
import { useDebouncedValue } from '@mantine/hooks';
import { Moment } from '../../ui/moment';
import { textProps } from '../../ui/form';
import { SendForm } from '../../ui/send-form';

const MODES = ['author', 'shadow'] as const;

/** Starts an article from a topic, or a comparison of a text with the style corpus (A1). */
export default function NewArticle({ initial = NO_ARTICLE }: { initial?: InitialArticle }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [mode, setMode] = useState<ArticleMode>(initial.mode);
  const [topic, setTopic] = useState(initial.topic);
  const [keywords, setKeywords] = useState(initial.keywords);
  const [words, setWords] = useState<number | string>(initial.words);
  const [text, setText] = useState(initial.text);
  const [isGeneral, setGeneral] = useState(initial.isGeneral);
  const [isWebOnly, setWebOnly] = useState(initial.isWebOnly);
  const [sources, setSources] = useState({ ...NO_SOURCES, pages: initial.pages });
  const [kept, setKept] = useState(initial.earlier?.files ?? []);
  const start = async () => {
    const isAuthor = mode === 'author';
    const { id } = await startArticle(
      mode,
      {
        ...(mode === initial.mode && initial.others),
        ...(isAuthor
          ? {
              topic: topic.trim(),
              keywords,
              ...(words !== '' && { words: Number(words) }),
              ...(isWebOnly && { research: 'web' as const }),
            }
          : { user_text: text, ...(isGeneral && { rules: 'general' as const }) }),
      },
      isAuthor ? sources : NO_SOURCES,
      isAuthor && initial.earlier && kept.length > 0 ? { ...initial.earlier, files: kept } : null,
    );
    await navigate({ to: '/articles/$runId', params: { runId: id } });
  };
  const [isReady, setReady] = useState(false);
  const isEmpty = (mode === 'author' ? topic : text).trim() === '';
  return (
    <SendForm label={t('articles.start')} isDisabled={isEmpty || !isReady} send={start}>
      <SegmentedControl
        aria-label={t('articles.mode')}
        value={mode}
        onChange={(value) => setMode(value as ArticleMode)}
        data={MODES.map((value) => ({ value, label: t(`articleMode.${value}`) }))}
      />
      {mode === 'author' ? (
        <>
          <TextInput label={t('articles.topic')} required maxLength={500} {...textProps(topic, setTopic)} />
          <TagsInput label={t('articles.keywords')} maxTags={30} value={keywords} onChange={setKeywords} />
          <NumberInput
            label={t('articles.words')}
            description={t('articles.wordsHint')}
            min={100}
            max={20_000}
            allowDecimal={false}
            value={words}
            onChange={setWords}
          />
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
    </SendForm>
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
        minRows={8}
        maxRows={20}
        maxLength={200_000}
        {...textProps(text, onText)}
      />
      <Checkbox
        label={t('articles.general')}
        checked={isGeneral}
        onChange={(event) => onGeneral(event.currentTarget.checked)}
      />
    </>
  );
}

interface ArticleNeedsProps {
  mode: ArticleMode;
  /** Whether the text is compared with general rules, which need no corpus. */
  isGeneral: boolean;
  /** Whether the author names pages or files. */
  hasNamed: boolean;
  /** Whether the research searches the web instead of collections. */
  isWebOnly: boolean;
  onWebOnly: (isWebOnly: boolean) => void;
  /** Called when it becomes known whether the article's requirements are met. */
  onChange: (isReady: boolean) => void;
}

/** Says what an article still needs: sources to research in, or texts to compare the style with. */
function ArticleNeeds({ mode, isGeneral, hasNamed, isWebOnly, onWebOnly, onChange }: ArticleNeedsProps) {
  const { t } = useTranslation();
  const collections = useInfiniteQuery(collectionsQuery()).data?.pages[0]?.items;
  const texts = useInfiniteQuery(corpusTextsQuery).data?.pages[0]?.items;
  // The research does not use the collections of books.
  const hasSources =
    collections?.some(
      ({ sources, purpose, project }) => sources > 0 && purpose === 'knowledge' && project === null,
    ) ?? true;
  const hasStyle = isGeneral || texts === undefined || texts.length > 0;
  const isReady = mode === 'author' ? hasSources || hasNamed || isWebOnly : hasStyle;
  useEffect(() => onChange(isReady), [isReady, onChange]);
  if (mode === 'author' && !hasSources && !hasNamed)
    return (
      <Alert color="yellow" title={t('articleNeeds.sources')}>
        <Stack gap="xs">
          <Text size="sm">
            {t('articleNeeds.sourcesText')}{' '}
            <RouteAnchor to="/sources" size="sm" underline="always" c="inherit">
              {t('articleNeeds.addSources')}
            </RouteAnchor>
          </Text>
          <Checkbox
            label={t('articleNeeds.webOnly')}
            checked={isWebOnly}
            onChange={(event) => onWebOnly(event.currentTarget.checked)}
          />
        </Stack>
      </Alert>
    );
  if (mode === 'shadow' && !hasStyle)
    return (
      <Alert color="yellow" title={t('articleNeeds.style')}>
        <Text size="sm">
          {t('articleNeeds.styleText')}{' '}
          <RouteAnchor to="/style" size="sm" underline="always" c="inherit">
            {t('style.add')}
          </RouteAnchor>
        </Text>
      </Alert>
    );
  return null;
}

/** Minimum length of a topic, because shorter ones resemble everything. */
const MIN_CHARS = 4;

/** Warns while the user types if an article on a similar topic was approved before (A5). */
function TopicCheck({ topic, keywords }: { topic: string; keywords: string[] }) {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(topic.trim(), 400);
  const { data } = useQuery({ ...topicQuery(asked, keywords), enabled: asked.length >= MIN_CHARS });
  if (!data?.article) return null;
  return (
    <Alert color="yellow" role="status" title={t('topicCheck.title')}>
      {data.article.topic} · <Moment at={data.article.date} />
    </Alert>
  );
}

import {
  Checkbox,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  TagsInput,
  Textarea,
  TextInput,
  Alert,
  Text,
} from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { startArticle, type ArticleMode, topicQuery } from '../../api/articles';
import { NamedSourceFields, namesOf, NO_SOURCES, type NamedSources } from '../../ui/named-sources';
import { NO_ARTICLE, type InitialArticle } from './initial-article';
import { corpusTextsQuery } from '../../api/corpus';
import { collectionsQuery } from '../../api/knowledge';
import { RouteAnchor } from '../../ui/route-links';
import { useDebouncedValue } from '@mantine/hooks';
import { Moment } from '../../ui/format';
import { checkProps, textProps, SendForm } from '../../ui/actions';

const MODES = ['author', 'shadow'] as const;

/** What is typed in the form. */
interface Article extends InitialArticle {
  sources: NamedSources;
  /** Names of the files of the earlier run that the article uses again. */
  kept: string[];
}

/** Starts an article from a topic, or a comparison of a text with the style corpus (A1). */
export default function NewArticle({ initial = NO_ARTICLE }: { initial?: InitialArticle }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { earlier } = initial;
  const [article, setArticle] = useState<Article>({
    ...initial,
    sources: { ...NO_SOURCES, pages: initial.pages },
    kept: earlier?.files ?? [],
  });
  const set = (fields: Partial<Article>) => setArticle((before) => ({ ...before, ...fields }));
  const { mode, topic, keywords, words, text, isGeneral, isWebOnly, sources, kept } = article;
  const isAuthor = mode === 'author';
  const start = async () => {
    const given = isAuthor
      ? {
          topic: topic.trim(),
          keywords,
          ...(words !== '' && { words }),
          ...(isWebOnly && { research: 'web' as const }),
        }
      : { user_text: text, ...(isGeneral && { rules: 'general' as const }) };
    const { id } = await startArticle(
      mode,
      { ...(mode === initial.mode && initial.others), ...given },
      isAuthor ? sources : NO_SOURCES,
      isAuthor && earlier && kept.length > 0 ? { ...earlier, files: kept } : null,
    );
    await navigate({ to: '/articles/$runId', params: { runId: id } });
  };
  const isEmpty = (isAuthor ? topic : text).trim() === '';
  const lacking = useLacking(article);
  const isReady = lacking === null || (lacking === 'sources' && isWebOnly);
  return (
    <SendForm label={t('articles.start')} isDisabled={isEmpty || !isReady} send={start}>
      <SegmentedControl
        aria-label={t('articles.mode')}
        value={mode}
        onChange={(value) => set({ mode: value as ArticleMode })}
        data={MODES.map((value) => ({ value, label: t(`articleMode.${value}`) }))}
      />
      {isAuthor ? <AuthorFields {...{ article, set }} /> : <ShadowFields {...{ article, set }} />}
      {lacking && (
        <Alert color="yellow" title={t(`articleNeeds.${lacking}`)}>
          <Text size="sm" mb="xs">
            {t(`articleNeeds.${lacking}Text`)}{' '}
            <RouteAnchor to={`/${lacking}`} size="sm" underline="always" c="inherit">
              {t(lacking === 'sources' ? 'articleNeeds.addSources' : 'style.add')}
            </RouteAnchor>
          </Text>
          {lacking === 'sources' && (
            <Checkbox
              label={t('articleNeeds.webOnly')}
              {...checkProps(isWebOnly, (checked) => set({ isWebOnly: checked }))}
            />
          )}
        </Alert>
      )}
    </SendForm>
  );
}

interface FieldsProps {
  article: Article;
  set: (fields: Partial<Article>) => void;
}

/** Asks for a topic, and for what the article is written from. */
function AuthorFields({ article: { topic, keywords, words, earlier, kept, sources }, set }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('articles.topic')}
        required
        maxLength={500}
        {...textProps(topic, (typed) => set({ topic: typed }))}
      />
      <TagsInput
        label={t('articles.keywords')}
        maxTags={30}
        value={keywords}
        onChange={(named) => set({ keywords: named })}
      />
      <NumberInput
        label={t('articles.words')}
        description={t('articles.wordsHint')}
        min={100}
        max={20_000}
        allowDecimal={false}
        value={words}
        onChange={(count) => set({ words: typeof count === 'number' ? count : '' })}
      />
      {earlier && (
        <MultiSelect
          label={t('namedSources.kept')}
          data={earlier.files}
          value={kept}
          onChange={(files) => set({ kept: files })}
        />
      )}
      <NamedSourceFields sources={sources} onChange={(named) => set({ sources: named })} />
      <TopicCheck topic={topic} keywords={keywords} />
    </>
  );
}

/** Asks for the text to review, and whether to ignore the style corpus (A7). */
function ShadowFields({ article: { text, isGeneral }, set }: FieldsProps) {
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
        {...textProps(text, (typed) => set({ text: typed }))}
      />
      <Checkbox
        label={t('articles.general')}
        {...checkProps(isGeneral, (checked) => set({ isGeneral: checked }))}
      />
    </>
  );
}

/** Returns what an article still needs: sources to research in, or texts to compare the style with. */
function useLacking({ mode, isGeneral, sources, kept }: Article): 'sources' | 'style' | null {
  const collections = useInfiniteQuery(collectionsQuery()).data?.pages[0]?.items;
  const texts = useInfiniteQuery(corpusTextsQuery).data?.pages[0]?.items;
  if (mode === 'shadow') return isGeneral || texts?.length !== 0 ? null : 'style';
  // The research does not use the collections of books.
  const hasSources =
    collections?.some(
      ({ sources: count, purpose, project }) => count > 0 && purpose === 'knowledge' && project === null,
    ) ?? true;
  return hasSources || namesOf(sources).length + kept.length > 0 ? null : 'sources';
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

import { FileInput, TagsInput } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { readableFiles } from '../api/readable-files';
import { sessionQuery } from '../api/session';
import { LeftOutFiles } from './left-out-files';
import { Hint } from './frames';

/** Maximum number of sources that a run accepts. */
const MAX_SOURCES = 20;

/** Pages by their addresses, and files, that a text is to be written from. */
export interface NamedSources {
  pages: string[];
  files: File[];
}

export const NO_SOURCES: NamedSources = { pages: [], files: [] };

/** Returns the names of the sources for the inputs of a run. */
export const namesOf = ({ pages, files }: NamedSources): string[] => [
  ...pages,
  ...files.map(({ name }) => name),
];

/** Returns whether a text is the address of a page; the service decides which addresses it reads. */
const isAddress = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text);

interface NamedSourcesProps {
  sources: NamedSources;
  onChange: (sources: NamedSources) => void;
}

/** Asks for pages and files that the author names (A6). Leaves out what cannot be read, with the reason. */
export function NamedSourceFields({ sources, onChange }: NamedSourcesProps) {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const choosing = useMutation({
    mutationFn: readableFiles,
    onSuccess: ({ files }) => onChange({ ...sources, files: files.slice(0, MAX_SOURCES) }),
  });
  return (
    <>
      {session?.can_fetch_pages ? (
        <PagesField pages={sources.pages} onChange={(pages) => onChange({ ...sources, pages })} />
      ) : (
        <Hint>{t('namedSources.noPages')}</Hint>
      )}
      <FileInput
        label={t('namedSources.files')}
        placeholder={t('newDocument.choose')}
        multiple
        clearable
        clearButtonProps={{ 'aria-label': t('namedSources.clear') }}
        value={sources.files}
        onChange={(files) => choosing.mutate(files)}
      />
      <LeftOutFiles leftOut={choosing.data?.leftOut ?? []} />
    </>
  );
}

function PagesField({ pages, onChange }: { pages: string[]; onChange: (pages: string[]) => void }) {
  const { t } = useTranslation();
  const [noAddresses, setNoAddresses] = useState<string[]>([]);
  return (
    <TagsInput
      label={t('namedSources.pages')}
      description={t('namedSources.pagesHint')}
      maxTags={MAX_SOURCES}
      value={pages}
      error={noAddresses.length > 0 && t('namedSources.noAddress', { names: noAddresses.join(', ') })}
      onChange={(named) => {
        setNoAddresses(named.filter((page) => !isAddress(page)));
        onChange(named.filter(isAddress));
      }}
    />
  );
}

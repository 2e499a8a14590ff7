import { Button, FileButton, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addTexts, SOURCE_TYPES, type SourceType } from '../../api/corpus';
import { ProblemAlert } from '../../ui/problem-alert';

/** Files for the style corpus: the tenant's own texts, or examples by others. */
export function AddTexts() {
  const { t } = useTranslation();
  const [type, setType] = useState<SourceType>('own');
  const adding = useMutation({ mutationFn: (files: File[]) => addTexts(files, type) });
  return (
    <Group gap="sm">
      <Select
        aria-label={t('style.type')}
        data={SOURCE_TYPES.map((value) => ({ value, label: t(`sourceType.${value}`) }))}
        value={type}
        onChange={(value) => setType(value ?? 'own')}
        allowDeselect={false}
        w={150}
      />
      <FileButton multiple onChange={(files) => files.length > 0 && adding.mutate(files)}>
        {(props) => (
          <Button loading={adding.isPending} {...props}>
            {t('style.add')}
          </Button>
        )}
      </FileButton>
      {adding.error && <ProblemAlert error={adding.error} />}
    </Group>
  );
}

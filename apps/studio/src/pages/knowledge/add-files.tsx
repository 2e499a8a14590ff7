import { Button, FileButton, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFiles, PRIORITIES, type Priority } from '../../api/knowledge';
import { ProblemAlert } from '../../ui/problem-alert';

interface AddFilesProps {
  label: string;
  /** The id of the collection that takes the files; asked for when there are some. */
  collection: () => string | Promise<string>;
}

/** Files for a collection, with the weight that they are to have (B15). */
export function AddFiles({ label, collection }: AddFilesProps) {
  const { t } = useTranslation();
  const [priority, setPriority] = useState<Priority>('supporting');
  const adding = useMutation({
    mutationFn: async (files: File[]) => addFiles(await collection(), files, priority),
  });
  return (
    <>
      <Group align="flex-end">
        <Select
          label={t('knowledge.priority')}
          data={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
          value={priority}
          onChange={(value) => setPriority(value ?? 'supporting')}
          allowDeselect={false}
          w={180}
        />
        <FileButton multiple onChange={(files) => files.length > 0 && adding.mutate(files)}>
          {(props) => (
            <Button variant="default" loading={adding.isPending} {...props}>
              {label}
            </Button>
          )}
        </FileButton>
      </Group>
      {adding.error && <ProblemAlert error={adding.error} />}
    </>
  );
}

import { wordTemplateSchema } from '#contracts/api/word-template-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { WordTemplate } from '#db/repositories/word-templates.js';
import { Controller } from '@nestjs/common';
import { filesOf } from '../http/multipart.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { view } from '../http/view.js';
import { WordTemplatesService } from './word-templates.service.js';

@Controller()
export class WordTemplatesController {
  constructor(private readonly templates: WordTemplatesService) {}

  @Route('uploadWordTemplate')
  async upload({ tenantId, query: { name }, raw }: EndpointRequest<'uploadWordTemplate'>) {
    for await (const part of filesOf(raw))
      return templateView(await this.templates.upload(tenantId, part, name));
    throw new ProblemError('empty_upload', phrase('empty_upload.no_file'));
  }

  @Route('listWordTemplates')
  async list({ tenantId }: EndpointRequest<'listWordTemplates'>) {
    return { items: (await this.templates.list(tenantId)).map(templateView) };
  }

  @Route('deleteWordTemplate')
  remove({ tenantId, params: { word_template_id: id } }: EndpointRequest<'deleteWordTemplate'>) {
    return this.templates.remove(tenantId, id);
  }
}

const templateView = (row: WordTemplate) =>
  view(wordTemplateSchema, row, { report: wordTemplateSchema.shape.report.parse(row.report) });

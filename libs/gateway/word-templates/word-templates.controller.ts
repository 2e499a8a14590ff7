import { wordTemplateSchema } from '#contracts/api/word-template-schemas.js';
import type { WordTemplate } from '#db/repositories/word-templates.js';
import { Controller } from '@nestjs/common';
import { withFile } from '../http/multipart.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { view } from '../http/view.js';
import { WordTemplatesService } from './word-templates.service.js';

@Controller()
export class WordTemplatesController {
  constructor(private readonly templates: WordTemplatesService) {}

  @Route('uploadWordTemplate')
  upload({ tenantId, query: { name }, raw }: EndpointRequest<'uploadWordTemplate'>) {
    return withFile(raw, async (part) => templateView(await this.templates.upload(tenantId, part, name)));
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

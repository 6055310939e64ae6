import { Injectable } from '@nestjs/common';

import { ServiceOf } from '../resources/service-of.js';
import { REVIEWS } from './review.resource.js';

@Injectable()
export class ReviewsService extends ServiceOf(REVIEWS) {}

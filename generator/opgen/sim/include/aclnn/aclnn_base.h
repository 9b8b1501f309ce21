// CANN stand-in: what all aclnn functions share.
#ifndef STANDIN_ACLNN_ACLNN_BASE_H_
#define STANDIN_ACLNN_ACLNN_BASE_H_

#include "aclnn/acl_meta.h"

#endif  // STANDIN_ACLNN_ACLNN_BASE_H_

// CANN stand-in: AscendCL.
#ifndef STANDIN_ACL_ACL_H_
#define STANDIN_ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

aclError aclInit(const char *configPath);
aclError aclFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // STANDIN_ACL_ACL_H_
